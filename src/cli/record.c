#include <config.h>

#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <tnav/recorder.h>

#include "gettext.h"
#include "output.h"

#define RING_SIZE (1 << 20)	/* about 15,000 records */
#define RING_BLOCKS 64
#define TEXT_MAX 1000

static struct tn_recorder *recorder;
static pthread_mutex_t ring_lock = PTHREAD_MUTEX_INITIALIZER;
static char *dump_room;		/* allocated in advance, because a signal handler cannot allocate */
static const char *file_path;
static int file = -1;
static atomic_bool written;
static int write_error;

/* Signals for faults of the program, and signals that request its end. */
static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGHUP, SIGINT, SIGQUIT };
static struct sigaction former[NSIG];

uint64_t
record_now(void)
{
	static atomic_uint_least64_t origin;
	struct timespec t;
	uint64_t now, none = 0;

	clock_gettime(CLOCK_MONOTONIC, &t);
	now = (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
	atomic_compare_exchange_strong(&origin, &none, now);
	return now - atomic_load(&origin);
}

static uint32_t
clock32(void *user)
{
	(void)user;
	return (uint32_t)record_now();
}

static void
lock(void *user)
{
	pthread_mutex_lock(user);
}

static void
unlock(void *user)
{
	pthread_mutex_unlock(user);
}

/* Write the file; safe in a signal handler. Later calls do nothing. */
static void
record_write(void)
{
	size_t n, done = 0;
	int saved = errno;

	if (!recorder || atomic_exchange(&written, true))
		return;
	n = tn_recorder_dump(recorder, dump_room, tn_recorder_size(recorder));
	while (done < n) {
		ssize_t w = write(file, dump_room + done, n - done);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0) {
			write_error = w < 0 ? errno : ENOSPC;
			break;
		}
		done += (size_t)w;
	}
	errno = saved;
}

static void
put(enum record_what what, const char *text, bool timed, uint64_t microseconds, uint64_t count)
{
	char cut[TEXT_MAX];

	if (tn_record_begin(recorder, (uint8_t)what) != TN_OK)
		return;
	if (text) {
		snprintf(cut, sizeof cut, "%s", text);
		tn_record_text(recorder, RECORD_PART_TEXT, cut);
	}
	if (timed)
		tn_record_u32(recorder, RECORD_PART_MICROSECONDS,
			      microseconds > UINT32_MAX ? UINT32_MAX : (uint32_t)microseconds);
	tn_record_u64(recorder, RECORD_PART_COUNT, count);
	tn_record_end(recorder);
}

/* Try to take the lock, but only for a short time: the interrupted thread itself may hold it. */
static bool
take_lock_soon(void)
{
	const struct timespec moment = { .tv_nsec = 1000000 };

	for (int i = 0; i < 20; i++) {
		if (pthread_mutex_trylock(&ring_lock) == 0)
			return true;
		nanosleep(&moment, NULL);
	}
	return false;
}

/* Write the records, then let the previous handler, or the default action, end the program. */
static void
on_fatal_signal(int number)
{
	if (recorder && !atomic_load(&written)) {
		/* Keep the lock, so that no other thread records. The dump omits a record that was interrupted. */
		if (take_lock_soon()) {
			tn_recorder_set_lock(recorder, NULL, NULL, NULL);
			put(RECORD_SIGNAL, NULL, false, 0, (uint64_t)number);
		}
		record_write();
	}
	sigaction(number, &former[number], NULL);
	raise(number);
}

static void
catch_signals(void)
{
	static char room[1 << 16];	/* stack for the handler, for use after a stack overflow */
	const stack_t stack = { .ss_sp = room, .ss_size = sizeof room };
	struct sigaction action = { .sa_handler = on_fatal_signal, .sa_flags = SA_ONSTACK };

	sigaltstack(&stack, NULL);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
		struct sigaction now;

		sigaction(fatal[i], NULL, &now);
		/* Leave an ignored signal ignored; the library's own handler of SIGBUS still runs first. */
		if (now.sa_handler == SIG_IGN || now.sa_handler == on_fatal_signal)
			continue;
		former[fatal[i]] = now;
		sigaction(fatal[i], &action, NULL);
	}
}

static void
complain_of(const char *path, int error)
{
	char text[4200];

	snprintf(text, sizeof text, _("--record: %s: %s"), path, strerror(error));
	complain(NULL, text);
}

bool
record_open(const char *path, int argc, char **argv)
{
	struct tn_error err;
	char text[TEXT_MAX];
	int n;

	file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
	if (file < 0) {
		complain_of(path, errno);
		return false;
	}
	file_path = path;
	dump_room = malloc(RING_SIZE);
	if (!dump_room || tn_recorder_new(&recorder, NULL, RING_SIZE, RING_BLOCKS, &err) != TN_OK) {
		complain(NULL, _("--record: out of memory"));
		close(file);
		unlink(path);
		free(dump_room);
		dump_room = NULL;
		return false;
	}
	tn_recorder_set_clock(recorder, clock32, NULL);
	tn_recorder_set_lock(recorder, lock, unlock, &ring_lock);
	catch_signals();
	n = snprintf(text, sizeof text, "%s", PACKAGE_STRING);
	for (int i = 1; i < argc && n >= 0 && (size_t)n < sizeof text; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, " %s", argv[i]);
	record_note(RECORD_START, text, (uint64_t)argc);
	return true;
}

void
record_work(enum record_what what, uint64_t since, const char *text, uint64_t count)
{
	if (recorder)
		put(what, text, true, record_now() - since, count);
}

void
record_note(enum record_what what, const char *text, uint64_t count)
{
	if (recorder)
		put(what, text, false, 0, count);
}

bool
record_close(int status)
{
	bool ok;

	if (!recorder)
		return true;
	record_note(RECORD_END, NULL, (uint64_t)status);
	record_write();
	ok = write_error == 0;
	if (close(file) < 0 && ok) {
		write_error = errno;
		ok = false;
	}
	if (!ok) {
		unlink(file_path);
		complain_of(file_path, write_error);
	}
	tn_recorder_free(recorder);
	recorder = NULL;
	free(dump_room);
	dump_room = NULL;
	return ok;
}
