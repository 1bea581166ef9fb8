/* remote.c - ssh does all work; it checks logins and asks its own questions */
#define _GNU_SOURCE	/* pipe2(), mkostemp() */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tnav/str.h>

#include "copy_limit.h"
#include "gettext.h"
#include "live.h"
#include "output.h"
#include "remote.h"

#define COPY "ssh-"	/* start of the names of copies in the cache */
#define NO_TNAV 97	/* exit status of the other host's shell if tnav is not there */
#define BLOCK 65536

struct place {
	char host[512];		/* "USER@HOST" */
	const char *path;
};

/* Whether the text names a trace on another host: ssh://[USER@]HOST/PATH, or HOST:PATH unless a file has this name. */
static bool
is_remote(struct place *p, const char *text)
{
	const char *end;
	struct stat st;
	size_t n;

	if (strncmp(text, "ssh://", 6) == 0) {
		text += 6;
		end = strchr(text, '/');
		p->path = end;
	} else {
		end = text + strcspn(text, ":/");
		if (*end != ':' || strncmp(end, "://", 3) == 0 || stat(text, &st) == 0)
			return false;
		p->path = end + 1;
	}
	n = end ? (size_t)(end - text) : 0;
	/* ssh would take a host that begins with '-' as an option. */
	if (!n || n >= sizeof p->host || *text == '-' || !*p->path)
		return false;
	memcpy(p->host, text, n);
	p->host[n] = '\0';
	return true;
}

/* ---- the command for the other host ---- */

/* Append a text as one quoted word for the other host's shell. */
static void
quote(struct tn_str *c, const char *text)
{
	tn_str_puts(c, " '");
	for (; *text; text++)
		if (*text == '\'')
			tn_str_puts(c, "'\\''");
		else
			tn_str_putc(c, *text);
	tn_str_puts(c, "'");
}

/* Append a path such that tnav does not take it as an option or as a +COMMAND. */
static void
put_path(struct tn_str *c, const char *path)
{
	struct tn_str whole = { 0 };

	tn_str_printf(&whole, "%s%s", *path == '-' || *path == '+' ? "./" : "", path);
	c->failed |= whole.failed;
	quote(c, whole.text ? whole.text : "");
	tn_str_release(&whole);
}

/* Append tar's arguments for a folder: its parent and its name. For "/", "." and "..": the folder's contents. */
static void
put_tar(struct tn_str *c, const char *path)
{
	size_t n = strlen(path);
	char *whole, *slash, *name;

	while (n > 1 && path[n - 1] == '/')
		n--;
	whole = strndup(path, n);
	slash = whole ? strrchr(whole, '/') : NULL;
	name = slash ? slash + 1 : whole;
	c->failed |= !whole;
	tn_str_puts(c, "cd --");
	if (!whole || !*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		quote(c, whole ? whole : "");
		tn_str_puts(c, " && exec tar -cf - -- .");
	} else {
		if (slash)
			*slash = '\0';
		quote(c, !slash ? "." : slash == whole ? "/" : whole);
		tn_str_puts(c, " && exec tar -cf - --");
		quote(c, name);
	}
	free(whole);
}

/* ---- ssh ---- */

/* Start ssh; its standard output is @out, unless @out is -1. Returns the process, or -1 after a message. */
static pid_t
start_ssh(const char *host, bool terminal, const char *command, int out)
{
	const char *ssh = getenv("TNAV_SSH");
	const char *argv[] = { ssh && *ssh ? ssh : "ssh", terminal ? "-t" : "-T", "--", host, command, NULL };
	pid_t child = fork();

	if (child < 0)
		complain("ssh", strerror(errno));
	if (child != 0)
		return child;
	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	execvp(argv[0], (char *const *)argv);
	complain(argv[0], strerror(errno));
	_exit(255);
}

static int
wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return 255;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Run tnav on the other host, with the same options. False: the other host has no tnav. */
static bool
run_there(const struct options *o, char **argv, const struct place *p, int *status)
{
	struct tn_str c = { 0 };
	pid_t child;

	tn_str_puts(&c, "command -v tnav >/dev/null 2>&1 || exit 97; exec tnav");
	for (char **arg = argv + 1; arg < (char **)o->trace; arg++)
		quote(&c, *arg);
	put_path(&c, p->path);
	if (c.failed) {
		complain(NULL, _("out of memory"));
		*status = 1;
		return true;
	}
	child = start_ssh(p->host, isatty(STDIN_FILENO) && isatty(STDOUT_FILENO), c.text, -1);
	tn_str_release(&c);
	*status = child < 0 ? 1 : wait_for(child);
	if (*status == 255) {
		complain(p->host, _("ssh failed"));
		*status = 1;
	}
	return *status != NO_TNAV;
}

/* ---- copies ---- */

static bool
make_cache(char *path, size_t room)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache == '/')
		snprintf(path, room, "%s", cache);
	else if (home && *home == '/')
		snprintf(path, room, "%s/.cache", home);
	else
		return false;
	(void)!mkdir(path, 0700);
	strncat(path, "/tnav", room - strlen(path) - 1);
	return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Remove copies that killed programs left: no process has a lock on them. */
static void
remove_left(const char *cache)
{
	DIR *dir = opendir(cache);
	struct dirent *entry;
	struct stat st;

	while (dir && (entry = readdir(dir))) {
		int fd = strncmp(entry->d_name, COPY, strlen(COPY)) != 0 ? -1 :
			 openat(dirfd(dir), entry->d_name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);

		/* Leave an empty file: another program may just have made it. */
		if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size && flock(fd, LOCK_EX | LOCK_NB) == 0)
			unlinkat(dirfd(dir), entry->d_name, 0);
		if (fd >= 0)
			close(fd);
	}
	if (dir)
		closedir(dir);
}

/* Make a file in the cache and lock it until the program ends. */
static int
make_copy(char *file, size_t room)
{
	char cache[3000];
	int out;

	if (!make_cache(cache, sizeof cache)) {
		complain(NULL, _("no folder for a copy: set HOME or XDG_CACHE_HOME"));
		return -1;
	}
	remove_left(cache);
	snprintf(file, room, "%s/" COPY "XXXXXX", cache);
	out = mkostemp(file, O_CLOEXEC);
	if (out < 0)
		complain(file, strerror(errno));
	else
		(void)!flock(out, LOCK_EX);
	return out;
}

/* Copy at most @limit bytes; *out is their number. */
static bool
pump(int from, int to, uint64_t limit, uint64_t *out)
{
	static char block[BLOCK];
	uint64_t all = 0, shown = 0;
	bool terminal = isatty(STDERR_FILENO);
	ssize_t n;

	while ((n = read(from, block, sizeof block)) != 0) {
		if (live_is_interrupted() || all > limit)
			break;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		for (ssize_t at = 0, done; at < n; at += done)
			if ((done = write(to, block + at, (size_t)(n - at))) <= 0)
				return false;
		all += (uint64_t)n;
		if (terminal && all - shown >= 1000000) {
			shown = all;
			fputs("\r\033[K", stderr);
			fprintf(stderr, _("copying: %ju MB"), (uintmax_t)(all / 1000000));
		}
	}
	if (shown)
		fputs("\r\033[K", stderr);
	*out = all;
	return n == 0 && all <= limit;
}

/* Copy the output of ssh to @out. ^C ends the copy at once, and so does the limit. */
static bool
copy_to(int out, const struct place *p, const char *command, uint64_t limit, uint64_t *size)
{
	int fds[2], status;
	bool whole;
	pid_t child;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return false;
	child = start_ssh(p->host, false, command, fds[1]);
	close(fds[1]);
	whole = child > 0 && pump(fds[0], out, limit, size);
	close(fds[0]);
	if (child <= 0)
		return false;
	if (live_is_interrupted() || *size > limit)
		kill(child, SIGTERM);
	status = wait_for(child);
	return whole && !status;
}

/* Copy the trace as an archive to a new file in the cache. NULL after a message: this failed. */
static char *
copy_here(const struct place *p, const struct options *o)
{
	const uint64_t limit = copy_limit(o);
	uint64_t size = 0;
	struct tn_str c = { 0 };
	char *file = malloc(4096);
	int out = file ? make_copy(file, 4096) : -1;
	bool done;

	if (out < 0) {
		free(file);
		return NULL;
	}
	put_tar(&c, p->path);
	live_take_interrupts();
	done = !c.failed && copy_to(out, p, c.text, limit, &size);
	tn_str_release(&c);
	if (!done) {
		unlink(file);
		free(file);
		close(out);
	}
	live_leave_interrupts();
	if (limit != UINT64_MAX && (done || size > limit))
		copy_limit_report(p->host, size, limit);
	if (done)
		return file;	/* @out stays open, and so the lock stays until the program ends */
	if (size <= limit)
		complain(p->host, _("tnav cannot copy the trace from that host"));
	return NULL;
}

bool
remote_run(struct options *o, char **argv, int *status)
{
	struct place p;
	bool any = false;

	for (size_t i = 0; i < o->n_traces; i++)
		any = any || is_remote(&p, o->trace[i]);
	if (!any)
		return false;
	/* Run tnav here if it writes a file, because the file must be on this host. */
	if (o->n_traces == 1 && !o->output && !o->export && !o->record && run_there(o, argv, &p, status))
		return true;
	for (size_t i = 0; i < o->n_traces; i++) {
		char *file;

		if (!is_remote(&p, o->trace[i]))
			continue;
		file = copy_here(&p, o);
		if (!file) {
			*status = 1;
			return true;
		}
		((const char **)o->trace)[i] = o->copy[i] = file;
	}
	return false;
}
