#include "query/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct tn_regex {
	pcre2_code *code;
	bool jit;
	char *pattern;
	atomic_bool gave_up;	/* a text could not be decided in reasonable time */
};

/* What gave up in this thread since it was asked for. */
static _Thread_local const struct tn_regex *stuck;

/* Room for one match, of each thread: where it begins and ends is all that is asked for. */
static pthread_key_t match_key;
static pthread_once_t match_once = PTHREAD_ONCE_INIT;

static void
free_match(void *match)
{
	pcre2_match_data_free(match);
}

static void
make_key(void)
{
	pthread_key_create(&match_key, free_match);
}

static pcre2_match_data *
match_data(void)
{
	pcre2_match_data *match;

	pthread_once(&match_once, make_key);
	match = pthread_getspecific(match_key);
	if (!match) {
		match = pcre2_match_data_create(1, NULL);
		pthread_setspecific(match_key, match);
	}
	return match;
}

/* Characters, not bytes, before @offset: where the user has to look. */
static size_t
column(const char *pattern, size_t offset)
{
	size_t n = 1;

	for (size_t i = 0; i < offset && pattern[i]; i++)
		n += ((unsigned char)pattern[i] & 0xc0) != 0x80;
	return n;
}

enum tn_code
tn_regex_new(struct tn_regex **out, const char *pattern, bool ignore_case, struct tn_error *err)
{
	struct tn_regex *r = calloc(1, sizeof *r);
	uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_DOLLAR_ENDONLY;
	PCRE2_SIZE offset;
	int code;

	*out = NULL;
	if (!r || !(r->pattern = strdup(pattern))) {
		free(r);
		return tn_fail_memory(err);
	}
	if (ignore_case)
		options |= PCRE2_CASELESS;
	r->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options, &code, &offset, NULL);
	if (!r->code) {
		PCRE2_UCHAR why[256];

		pcre2_get_error_message(code, why, sizeof why);
		tn_regex_free(r);
		return tn_fail(err, TN_ERR_ARGUMENT, "regular expression '%s', column %zu: %s", pattern,
			       column(pattern, offset), (const char *)why);
	}
	r->jit = pcre2_jit_compile(r->code, PCRE2_JIT_COMPLETE) == 0;
	*out = r;
	return TN_OK;
}

void
tn_regex_free(struct tn_regex *r)
{
	if (!r)
		return;
	pcre2_code_free(r->code);
	free(r->pattern);
	free(r);
}

const char *
tn_regex_pattern(const struct tn_regex *r)
{
	return r->pattern;
}

/* Whether there is a match; PCRE2's limits end what would backtrack without end. */
static bool
run(const struct tn_regex *r, const char *text, size_t n, size_t from, pcre2_match_data *match)
{
	int rc = PCRE2_ERROR_JIT_BADOPTION;

	if (r->jit)
		rc = pcre2_jit_match(r->code, (PCRE2_SPTR)text, n, from, 0, match, NULL);
	/* Not enough room there, or the pattern itself does not want it. */
	if (rc == PCRE2_ERROR_JIT_STACKLIMIT || rc == PCRE2_ERROR_JIT_BADOPTION)
		rc = pcre2_match(r->code, (PCRE2_SPTR)text, n, from, PCRE2_NO_JIT, match, NULL);
	if (rc < 0 && rc != PCRE2_ERROR_NOMATCH) {
		atomic_store(&((struct tn_regex *)r)->gave_up, true);	/* what it learns is not its value */
		stuck = r;
	}
	return rc >= 0;
}

bool
tn_regex_find(const struct tn_regex *r, const char *text, size_t n, size_t from, size_t *begin, size_t *end)
{
	pcre2_match_data *match = match_data();
	PCRE2_SIZE *where;

	/* A mark on a screen is not worth more than one text that takes so long. */
	if (!match || from > n || atomic_load(&r->gave_up) || !run(r, text ? text : "", n, from, match))
		return false;
	where = pcre2_get_ovector_pointer(match);
	/* \K can put the beginning behind the end. */
	*begin = where[0] < where[1] ? where[0] : where[1];
	*end = where[1];
	return true;
}

bool
tn_regex_matches(const struct tn_regex *r, const char *text, size_t n)
{
	pcre2_match_data *match = match_data();

	return match && run(r, text ? text : "", n, 0, match);
}

enum tn_code
tn_regex_trouble(struct tn_error *err)
{
	const struct tn_regex *r = stuck;

	stuck = NULL;
	return r ? tn_fail(err, TN_ERR_ARGUMENT, "regular expression '%s': there are too many ways to match an event with it: "
			   "write it with fewer repetitions of repetitions", r->pattern) : TN_OK;
}
