/*
 * demangle.c - names of C++ and Rust as in their sources
 *
 * libstdc++ demangles names of C++, and also older names of Rust, which have the same form. Those end with a hash, and
 * have escapes such as $LT$.
 */
#include "symbol/debug.h"

#include <stdlib.h>
#include <string.h>

#define HASH_SIZE 19		/* "::h0123456789abcdef" */

static bool
ends_with_hash(const char *name, size_t n)
{
	return n > HASH_SIZE && memcmp(name + n - HASH_SIZE, "::h", 3) == 0 &&
	       strspn(name + n - HASH_SIZE + 3, "0123456789abcdef") == HASH_SIZE - 3;
}

/* The character of the escape at @p, which begins with $; NULL: unknown. */
static const char *
sign_at(const char *p, size_t *n)
{
	static const char *const signs[][2] = {
		{ "$LT$", "<" }, { "$GT$", ">" }, { "$RF$", "&" }, { "$BP$", "*" }, { "$LP$", "(" }, { "$RP$", ")" },
		{ "$C$", "," }, { "$SP$", "@" }, { "$u20$", " " }, { "$u22$", "\"" },
		{ "$u27$", "'" }, { "$u2b$", "+" }, { "$u3b$", ";" },
		{ "$u5b$", "[" }, { "$u5d$", "]" }, { "$u7b$", "{" }, { "$u7d$", "}" }, { "$u7e$", "~" },
	};

	for (size_t i = 0; i < TN_COUNT(signs); i++) {
		*n = strlen(signs[i][0]);
		if (strncmp(p, signs[i][0], *n) == 0)
			return signs[i][1];
	}
	return NULL;
}

/* Remove the hash from a name of Rust, in place; the name does not get longer. */
static void
rust_name(char *name, size_t n)
{
	const char *from = name;
	char *to = name;
	bool begins = true;	/* at the start of a part of the path */

	name[n - HASH_SIZE] = '\0';
	while (*from) {
		size_t skip = 1;
		const char *sign = *from == '$' ? sign_at(from, &skip) : NULL;

		if (begins && from[0] == '_' && from[1] == '$') {
			from++;
			continue;
		}
		begins = from[0] == ':';
		if (sign) {
			*to++ = *sign;
		} else if (from[0] == '.' && from[1] == '.') {
			*to++ = ':';
			*to++ = ':';
			skip = 2;
		} else {
			skip = 1;
			*to++ = *from;
		}
		from += skip;
	}
	*to = '\0';
}

/* ---- names that explode ---- */

/*
 * A name of C++ refers to its own parts, so 30 references can make a text of gigabytes. libstdc++ does not have a limit.
 * A timer therefore ends its work, and the memory that it had allocated is lost.
 */
#define FEW_REFERENCES 10
#define MOST_NS 50000000	/* limit of processor time for one name */
#define MOST_STOPPED 8		/* limit of stopped names of a file; then its names are no longer demangled */

static void
stop(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)context;
	siglongjmp(*(sigjmp_buf *)info->si_value.sival_ptr, 1);
}

static bool
has_timer(struct tn_debug *d)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM, .sigev_value.sival_ptr = &d->stopped };
	struct sigaction action = { .sa_sigaction = stop, .sa_flags = SA_SIGINFO };

	if (!d->has_timer)
		d->has_timer = sigaction(SIGALRM, &action, NULL) == 0 &&
			       timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &d->timer) == 0;
	return d->has_timer;
}

static char *
demangle_in_time(struct tn_debug *d, const char *name)
{
	const struct itimerspec most = { .it_value.tv_nsec = MOST_NS }, none = { .it_value.tv_nsec = 0 };
	char *text;
	int status;

	if (d->n_stopped >= MOST_STOPPED || !has_timer(d))
		return NULL;
	if (sigsetjmp(d->stopped, 1)) {
		d->n_stopped++;
		return NULL;
	}
	timer_settime(d->timer, 0, &most, NULL);
	text = d->dw->demangle(name, NULL, NULL, &status);
	timer_settime(d->timer, 0, &none, NULL);
	return text;
}

static bool
may_explode(const char *name)
{
	size_t n = 0;

	for (; *name && n <= FEW_REFERENCES; name++)
		n += *name == 'S' || *name == 'T';
	return n > FEW_REFERENCES;
}

const char *
tn_demangle(struct tn_debug *d, const char *name)
{
	size_t n = strnlen(name, TN_HELPER_TEXT);
	char *text;
	int status;

	if (n < TN_HELPER_TEXT && tn_demangle_rust(name, d->demangled))
		return d->demangled;
	if (!d->dw->demangle || n == TN_HELPER_TEXT || strncmp(name, "_Z", 2) != 0)
		return name;
	text = may_explode(name) ? demangle_in_time(d, name) : d->dw->demangle(name, NULL, NULL, &status);
	if (!text)
		return name;
	n = strlen(text);
	if (ends_with_hash(text, n))
		rust_name(text, n);
	n = strnlen(text, sizeof d->demangled - 1);
	memcpy(d->demangled, text, n);
	d->demangled[n] = '\0';
	free(text);
	return d->demangled;
}
