#include "symbol/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/now.h"

#define MOST_WAIT_MS 8000	/* longest wait for one answer */
#define MOST_LIST_MS 20000	/* longest wait for all functions of a file */
#define MOST_CPU_S 20		/* limit of processor time of a helper */
#define MOST_MEMORY ((uint64_t)1 << 30)	/* limit of memory in addition to the program's; mapped files are not counted */
#define MOST_SPACE ((uint64_t)6 << 30)	/* limit of address space, including mapped files */
#define NOBODY 65534

/* ---- the helper's privileges ---- */

static void
limit(int what, uint64_t most)
{
	struct rlimit r = { (rlim_t)most, (rlim_t)most };

	setrlimit((__rlimit_resource_t)what, &r);
}

/* Get the sizes of the process in bytes: its address space, and its data. */
static void
sizes(uint64_t *space, uint64_t *data)
{
	unsigned long n[6] = { 0 };
	FILE *f = fopen("/proc/self/statm", "re");

	if (!f || fscanf(f, "%lu %lu %lu %lu %lu %lu", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5]) != 6)
		n[0] = n[5] = 0;
	if (f)
		fclose(f);
	*space = (uint64_t)n[0] * (uint64_t)sysconf(_SC_PAGESIZE);
	*data = (uint64_t)n[5] * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Move the files to descriptors 3, 4, ..., and close all others. False: a file is missing now. */
static bool
keep_files(struct tn_helper_work *work, int *socket)
{
	int *file[TN_HELPER_FILES + 1], next = 3;
	long most = sysconf(_SC_OPEN_MAX);

	for (int i = 0; i < TN_HELPER_FILES; i++)
		file[i] = &work->fd[i];
	file[TN_HELPER_FILES] = socket;
	/* First move the descriptors out of the range of their new numbers. */
	for (int i = 0; i <= TN_HELPER_FILES; i++)
		if (*file[i] >= 0 && (*file[i] = fcntl(*file[i], F_DUPFD, 16)) < 0)
			return false;
	for (int i = 0; i <= TN_HELPER_FILES; i++)
		if (*file[i] >= 0) {
			if (dup2(*file[i], next) < 0)
				return false;
			*file[i] = next++;
		}
#ifdef SYS_close_range
	if (syscall(SYS_close_range, next, UINT_MAX, 0) == 0)
		return true;
#endif
	for (int i = next; i < (most < 0 || most > 65536 ? 65536 : most); i++)
		close(i);
	return true;
}

static void
drop_privileges(void)
{
	uint64_t space, data;

	sizes(&space, &data);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_CPU, MOST_CPU_S);
	if (space) {
		limit(RLIMIT_AS, space + MOST_SPACE);
		limit(RLIMIT_DATA, data + MOST_MEMORY);
	}
	if (geteuid() == 0 && (setgroups(0, NULL) < 0 || setgid(NOBODY) < 0 || setuid(NOBODY) < 0))
		errno = 0;	/* this fails, for example, in a container without other users; the limits below still apply */
	limit(RLIMIT_NPROC, 0);
	limit(RLIMIT_NOFILE, 0);	/* no more files can be opened */
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static void
be_helper(const struct tn_libdw *dw, const struct tn_helper_work *given, int socket)
{
	struct tn_helper_work work = *given;
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (keep_files(&work, &socket)) {
		drop_privileges();
		tn_helper_run(dw, &work, socket);
	}
	_exit(0);
}

/* ---- the parent ---- */

bool
tn_helper_start(struct tn_helper *h, const struct tn_libdw *dw, const struct tn_helper_work *work)
{
	int pair[2];

	*h = (struct tn_helper) { .fd = -1 };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return false;
	h->pid = fork();
	if (h->pid == 0)
		be_helper(dw, work, pair[1]);
	close(pair[1]);
	h->fd = pair[0];
	if (h->pid > 0)
		return true;
	close(h->fd);
	*h = (struct tn_helper) { .fd = -1 };
	return false;
}

void
tn_helper_stop(struct tn_helper *h)
{
	if (!h->pid)
		return;
	kill(h->pid, SIGKILL);
	while (waitpid(h->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(h->fd);
	h->pid = 0;
	h->fd = -1;
}

/* Receive all @n bytes before @until_ns. */
static bool
receive(int fd, void *to, size_t n, int64_t until_ns)
{
	char *at = to;

	while (n) {
		int64_t left_ms = (until_ns - tn_now_ns()) / 1000000;
		struct pollfd p = { .fd = fd, .events = POLLIN };
		ssize_t got;

		if (left_ms <= 0)
			return false;
		if (poll(&p, 1, (int)left_ms) < 0 && errno != EINTR)
			return false;
		if (!p.revents)
			continue;
		got = recv(fd, at, n, MSG_DONTWAIT);
		if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
			return false;
		at += got > 0 ? got : 0;
		n -= got > 0 ? (size_t)got : 0;
	}
	return true;
}

bool
tn_helper_ask(struct tn_helper *h, const struct tn_helper_question *question, struct tn_helper_answer *out, char *text)
{
	int64_t until_ns = tn_now_ns() + (int64_t)MOST_WAIT_MS * 1000000;
	bool ok;

	ok = h->pid && send(h->fd, question, sizeof *question, MSG_NOSIGNAL) == (ssize_t)sizeof *question &&
	     receive(h->fd, out, sizeof *out, until_ns);
	for (int i = 0; i < TN_HELPER_TEXTS && ok; i++)
		ok = out->n[i] <= TN_HELPER_TEXT && receive(h->fd, text + (size_t)i * TN_HELPER_TEXT, out->n[i], until_ns);
	h->n_answers += ok;
	if (!ok)
		tn_helper_stop(h);
	return ok;
}

bool
tn_helper_functions(struct tn_helper *h, const struct tn_helper_question *question, uint32_t *flags,
		    bool (*add)(void *user, const struct tn_helper_function *function, const char *name), void *user)
{
	int64_t until_ns = tn_now_ns() + (int64_t)MOST_LIST_MS * 1000000;
	struct tn_helper_function f;
	char name[TN_HELPER_TEXT];
	bool ok = h->pid && send(h->fd, question, sizeof *question, MSG_NOSIGNAL) == (ssize_t)sizeof *question;

	while (ok && (ok = receive(h->fd, &f, sizeof f, until_ns)) && f.n != TN_HELPER_END)
		ok = f.n <= sizeof name && receive(h->fd, name, f.n, until_ns) && add(user, &f, name);
	*flags = ok ? f.flags : 0;
	h->n_answers += ok;
	if (!ok)
		tn_helper_stop(h);
	return ok;
}
