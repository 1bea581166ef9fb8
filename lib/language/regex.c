/*
 * regex.c - regular expressions, with limits of time and memory for each text
 *
 * PCRE2 counts only some of its steps, and one step may read a whole text. So a short text is first tried with few steps.
 * If these do not suffice, and for a long text, the pattern is compiled again with a callback at each item; the callback
 * checks the clock.
 */
#include "language/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <inttypes.h>
#include <pcre2.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "model/decoder.h"

#define SHORT 4096		/* largest text that is tried with few steps */
#define FEW_STEPS 100000
#define MOST_NS INT64_C(1000000000)	/* limit of processor time for one text */
#define MOST_KIB (64 << 10)	/* limit of memory for one text */
#define STACK_FIRST (32 << 10)	/* initial size of the stack, which grows if needed */
#define LOOK_BYTES ((size_t)1 << 20)	/* bytes that items may read between two checks of the clock */

struct tn_regex {
	pcre2_code *code;
	bool jit, ignores_case;
	uint32_t options;
	char *pattern;
	atomic_bool gave_up;	/* a text could not be decided within the limits */
};

/* Data that a match needs in addition to the pattern. */
struct tn_regex_match {
	pcre2_match_data *data;
	pcre2_match_context *few, *watched;
	pcre2_jit_stack *stack;	/* stack for the watched code; NULL: not needed yet, or no memory, which is slower */
	pcre2_code *code;	/* code with callbacks */
	char *pattern;		/* source text of this code */
	uint32_t options;
	/* For the current text: */
	unsigned every, left;	/* number of items between two checks of the clock */
	int64_t until_ns;
};

/* The number of characters before byte @offset, to show the place to the user. */
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
	r->options = options;
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

static int64_t
spent_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int
watch(pcre2_callout_block *block, void *user)
{
	struct tn_regex_match *m = user;

	(void)block;
	if (--m->left)
		return 0;
	m->left = m->every;
	return spent_ns() > m->until_ns ? PCRE2_ERROR_MATCHLIMIT : 0;
}

void
tn_regex_room_release(struct tn_regex_room *room)
{
	struct tn_regex_match *m = room->match;

	if (!m)
		return;
	pcre2_match_data_free(m->data);
	pcre2_match_context_free(m->few);
	pcre2_match_context_free(m->watched);
	pcre2_jit_stack_free(m->stack);
	pcre2_code_free(m->code);
	free(m->pattern);
	free(m);
	room->match = NULL;
}

/* The match data need space for only one pair: start and end of the match. */
static struct tn_regex_match *
match_room(struct tn_regex_room *room)
{
	struct tn_regex_match *m = room->match;

	if (m)
		return m;
	room->match = m = calloc(1, sizeof *m);
	if (!m)
		return NULL;
	m->data = pcre2_match_data_create(1, NULL);
	m->few = pcre2_match_context_create(NULL);
	m->watched = pcre2_match_context_create(NULL);
	if (!m->data || !m->few || !m->watched) {
		tn_regex_room_release(room);
		return NULL;
	}
	pcre2_set_match_limit(m->few, FEW_STEPS);
	pcre2_set_heap_limit(m->few, MOST_KIB);
	pcre2_set_match_limit(m->watched, UINT32_MAX);
	pcre2_set_heap_limit(m->watched, MOST_KIB);
	pcre2_set_callout(m->watched, watch, m);
	return m;
}

static int
run_code(const pcre2_code *code, bool jit, const char *text, size_t n, size_t from, const struct tn_regex_match *m,
	 pcre2_match_context *context)
{
	int rc = PCRE2_ERROR_JIT_BADOPTION;

	if (jit)
		rc = pcre2_jit_match(code, (PCRE2_SPTR)text, n, from, 0, m->data, context);
	/* The compiled code has too small a stack, or the pattern is not suitable for it: interpret the pattern. */
	if (rc == PCRE2_ERROR_JIT_STACKLIMIT || rc == PCRE2_ERROR_JIT_BADOPTION)
		rc = pcre2_match(code, (PCRE2_SPTR)text, n, from, PCRE2_NO_JIT, m->data, context);
	return rc;
}

/* Compile the pattern with callbacks, when the first text needs this. */
static bool
make_watched(const struct tn_regex *r, struct tn_regex_match *m)
{
	PCRE2_SIZE offset;
	int code;

	if (m->code && m->options == r->options && strcmp(m->pattern, r->pattern) == 0)
		return true;
	pcre2_code_free(m->code);
	free(m->pattern);
	m->options = r->options;
	m->code = NULL;
	m->pattern = strdup(r->pattern);
	if (m->pattern)
		m->code = pcre2_compile((PCRE2_SPTR)r->pattern, PCRE2_ZERO_TERMINATED,
					r->options | PCRE2_AUTO_CALLOUT, &code, &offset,
					NULL);
	if (m->code && r->jit)
		(void)pcre2_jit_compile(m->code, PCRE2_JIT_COMPLETE);
	return m->code != NULL;
}

/* Get PCRE2's result, within the limits of time and memory. */
static int
run(const struct tn_regex *r, const char *text, size_t n, size_t from, struct tn_regex_match *m)
{
	int rc = PCRE2_ERROR_MATCHLIMIT;

	if (n <= SHORT)
		rc = run_code(r->code, r->jit, text, n, from, m, m->few);
	if (rc != PCRE2_ERROR_MATCHLIMIT)
		return rc;
	if (!make_watched(r, m))
		return PCRE2_ERROR_NOMEMORY;
	if (!m->stack && (m->stack = pcre2_jit_stack_create(STACK_FIRST, (size_t)MOST_KIB << 10, NULL)) != NULL)
		pcre2_jit_stack_assign(m->watched, NULL, m->stack);
	m->every = m->left = 1 + (unsigned)(LOOK_BYTES / (n + 64));
	m->until_ns = spent_ns() + MOST_NS;
	return run_code(m->code, r->jit, text, n, from, m, m->watched);
}

bool
tn_regex_find(const struct tn_regex *r, const char *text, size_t n, size_t from, size_t *begin, size_t *end)
{
	if (!r)
		return false;

	struct tn_regex_room room = { 0 };
	struct tn_regex_match *match = NULL;
	bool found = false;

	/* After one slow text, marking matches on the screen is not worth another delay. */
	if (from <= n && !atomic_load(&r->gave_up) && (match = match_room(&room)) != NULL) {
		int rc = run(r, text ? text : "", n, from, match);

		found = rc >= 0;
		if (rc < 0 && rc != PCRE2_ERROR_NOMATCH)
			atomic_store(&((struct tn_regex *)r)->gave_up, true);	/* the flag is a cache */
	}
	if (found) {
		PCRE2_SIZE *where = pcre2_get_ovector_pointer(match->data);

		/* \K can move the start after the end. */
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
	struct tn_regex_match *match = match_room(room);
	int rc;

	*matched = false;
	if (!match)
		return tn_fail_memory(err);
	rc = run(r, text ? text : "", n, 0, match);
	*matched = rc >= 0;
	if (rc >= 0 || rc == PCRE2_ERROR_NOMATCH)
		return TN_OK;
	if (rc == PCRE2_ERROR_NOMEMORY)
		return tn_fail_memory(err);
	atomic_store(&((struct tn_regex *)r)->gave_up, true);
	return tn_fail(err, TN_ERR_ARGUMENT, "regular expression '%s': it is too complex for an event: write fewer nested "
		       "repetitions", r->pattern);
}

enum tn_code
tn_regex_at(const struct tn_batch *b, size_t row, enum tn_code rc, struct tn_error *err)
{
	int64_t ns = tn_batch_time(b, row);

	if (rc != TN_ERR_ARGUMENT)
		return rc;
	if (!b->stream->stream_class->clock)
		return tn_at(err, rc, "%s: packet %zu: event %zu", b->stream->path, b->packet, (size_t)b->begin.row + row);
	return tn_at(err, rc, "%s: packet %zu: event at %s%" PRId64 ".%09" PRId64 " s", b->stream->path, b->packet,
		     ns < 0 ? "-" : "", ns < 0 ? -(ns / 1000000000) : ns / 1000000000,
		     ns < 0 ? -(ns % 1000000000) : ns % 1000000000);
}
