#include "query/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct tn_regex {
	pcre2_code *code;
	bool jit, ignores_case;
	char *pattern;
	atomic_bool gave_up;	/* a text could not be decided in reasonable time */
};

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
	if (!out || !pattern)
		return tn_fail_null(err);

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
		if (code == PCRE2_ERROR_HEAP_FAILED)
			return tn_fail_memory(err);
		return tn_fail(err, TN_ERR_ARGUMENT, "regular expression '%s', column %zu: %s", pattern,
			       column(pattern, offset), (const char *)why);
	}
	r->ignores_case = ignore_case;
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

bool
tn_regex_ignores_case(const struct tn_regex *r)
{
	return r->ignores_case;
}

/* Begins and ends of one match are all that is asked for. */
static pcre2_match_data *
match_data(struct tn_regex_room *room)
{
	if (!room->match)
		room->match = pcre2_match_data_create(1, NULL);
	return room->match;
}

void
tn_regex_room_release(struct tn_regex_room *room)
{
	pcre2_match_data_free(room->match);
	room->match = NULL;
}

/* PCRE2's answer; its limits end what would backtrack without end. */
static int
run(const struct tn_regex *r, const char *text, size_t n, size_t from, pcre2_match_data *match)
{
	int rc = PCRE2_ERROR_JIT_BADOPTION;

	if (r->jit)
		rc = pcre2_jit_match(r->code, (PCRE2_SPTR)text, n, from, 0, match, NULL);
	/* Not enough room there, or the pattern itself does not want it. */
	if (rc == PCRE2_ERROR_JIT_STACKLIMIT || rc == PCRE2_ERROR_JIT_BADOPTION)
		rc = pcre2_match(r->code, (PCRE2_SPTR)text, n, from, PCRE2_NO_JIT, match, NULL);
	return rc;
}

bool
tn_regex_find(const struct tn_regex *r, const char *text, size_t n, size_t from, size_t *begin, size_t *end)
{
	if (!r)
		return false;

	struct tn_regex_room room = { 0 };
	pcre2_match_data *match = NULL;
	bool found = false;

	/* A mark on a screen is not worth more than one text that takes so long. */
	if (from <= n && !atomic_load(&r->gave_up) && (match = match_data(&room)) != NULL) {
		int rc = run(r, text ? text : "", n, from, match);

		found = rc >= 0;
		if (rc < 0 && rc != PCRE2_ERROR_NOMATCH)
			atomic_store(&((struct tn_regex *)r)->gave_up, true);	/* what it learns is not its value */
	}
	if (found) {
		PCRE2_SIZE *where = pcre2_get_ovector_pointer(match);

		/* \K can put the beginning behind the end. */
		*begin = where[0] < where[1] ? where[0] : where[1];
		*end = where[1];
	}
	tn_regex_room_release(&room);
	return found;
}

enum tn_code
tn_regex_match(const struct tn_regex *r, struct tn_regex_room *room, const char *text, size_t n, bool *matched,
	       struct tn_error *err)
{
	pcre2_match_data *match = match_data(room);
	int rc;

	*matched = false;
	if (!match)
		return tn_fail_memory(err);
	rc = run(r, text ? text : "", n, 0, match);
	*matched = rc >= 0;
	if (rc >= 0 || rc == PCRE2_ERROR_NOMATCH)
		return TN_OK;
	atomic_store(&((struct tn_regex *)r)->gave_up, true);
	return tn_fail(err, TN_ERR_ARGUMENT, "regular expression '%s': there are too many ways to match an event with it: "
		       "write it with fewer repetitions of repetitions", r->pattern);
}
