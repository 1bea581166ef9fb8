#include "model/marker.h"

#include <string.h>

#include "model/pairs.h"

#define MOST_TEXT 65536	/* limit of bytes in a text; the kernel writes at most a page */

/* ---- texts ---- */

struct part {
	const char *at;
	size_t n;
};

/* Cut *rest at its first or last bar: @out gets the part before the bar. False: it has no bar. */
static bool
take_part(struct part *rest, bool last, struct part *out)
{
	const char *end = rest->at + rest->n, *bar = memchr(rest->at, '|', rest->n);

	for (const char *next = bar; last && next; next = memchr(bar + 1, '|', (size_t)(end - bar - 1)))
		bar = next;
	if (!bar)
		return false;
	*out = (struct part) { rest->at, (size_t)(bar - rest->at) };
	rest->n -= out->n + 1;
	rest->at = bar + 1;
	return true;
}

static bool
read_number(struct part p, int64_t *out)
{
	bool negative = p.n && *p.at == '-';
	int64_t v = 0;

	if (p.n == negative)
		return false;
	for (size_t i = negative; i < p.n; i++) {
		int digit = p.at[i] - '0';

		if (digit < 0 || digit > 9 || __builtin_mul_overflow(v, 10, &v) ||
		    __builtin_sub_overflow(v, digit, &v))	/* the smallest number has the greater magnitude */
			return false;
	}
	*out = v;
	return negative || !__builtin_sub_overflow(0, v, out);
}

static void
set_name(struct tn_marker *m, struct part p)
{
	m->has |= TN_MARKER_NAME;
	m->name = p.at;
	m->n_name = p.n;
}

static void
set_track(struct tn_marker *m, struct part p)
{
	m->has |= TN_MARKER_TRACK;
	m->track = p.at;
	m->n_track = p.n;
}

/* Read the parts after the process. */
static bool
read_parts(struct tn_marker *m, struct part rest)
{
	struct part p;
	bool is_counter = *m->phase == 'C';

	switch (*m->phase) {
	case 'B':
	case 'I':
		set_name(m, rest);
		return true;
	case 'N':
		if (!take_part(&rest, false, &p))
			return false;
		set_track(m, p);
		set_name(m, rest);
		return true;
	case 'G':
	case 'H':
		if (!take_part(&rest, false, &p))
			return false;
		set_track(m, p);
		break;
	default:
		break;
	}
	/* The name of an H is optional and not used. */
	if (take_part(&rest, true, &p)) {
		if (*m->phase != 'H')
			set_name(m, p);
	} else if (*m->phase != 'H') {
		return false;
	}
	m->has |= is_counter ? TN_MARKER_VALUE : TN_MARKER_COOKIE;
	return read_number(rest, &m->number);
}

bool
tn_marker_read(struct tn_marker *out, const char *text, size_t n)
{
	static const char *const phases[] = { "B", "E", "S", "F", "G", "H", "I", "N", "C" };
	struct part rest = { text, n }, p;
	size_t i = 0;

	*out = (struct tn_marker) { .phase = NULL };
	while (rest.n && rest.at[rest.n - 1] == '\n')
		rest.n--;
	if (!rest.n || rest.n > MOST_TEXT || (rest.n > 1 && rest.at[1] != '|'))
		return false;
	while (i < TN_COUNT(phases) && *phases[i] != *rest.at)
		i++;
	if (i == TN_COUNT(phases))
		return false;
	out->phase = phases[i];
	rest = rest.n > 1 ? (struct part) { rest.at + 2, rest.n - 2 } : (struct part) { rest.at + 1, 0 };
	if (*out->phase == 'E') {
		/* Old writers leave out the process, others add the name. */
		if (!take_part(&rest, false, &p))
			p = rest;
		out->has = read_number(p, &out->pid) && out->pid >= 0 ? TN_MARKER_PID : 0;
		return !p.n || out->has;
	}
	if (!take_part(&rest, false, &p) || !read_number(p, &out->pid) || out->pid < 0)
		return false;
	out->has = TN_MARKER_PID;
	return read_parts(out, rest);
}

/* ---- classes ---- */

#define PHASE(letter) "(marker.phase == \"" letter "\")"

/* Slices (B, E) are paired by the thread that wrote them, not by the process in the text. */
static const struct tn_span_kind track = {
	.name = "track_marker", .begin = PHASE("G"), .end = PHASE("H"), .by = "marker.pid, marker.track, marker.cookie",
	.named = "begin.marker.name",
};
static const struct tn_span_kind async = {
	.name = "async_marker", .begin = PHASE("S"), .end = PHASE("F"), .by = "marker.pid, marker.name, marker.cookie",
	.named = "begin.marker.name", .next = &track,
};
static const struct tn_span_kind slice = {
	.name = "marker", .begin = PHASE("B"), .end = PHASE("E"), .by = "tid", .named = "begin.marker.name", .next = &async,
};

void
tn_marker_find(const struct tn_trace *trace)
{
	for (size_t i = 0; i < trace->n_event_classes; i++) {
		struct tn_event_class *ec = trace->event_class[i];
		const struct tn_type *t = ec->payload ? ec->payload->type : NULL;

		if (!ec->name || strcmp(ec->name, "ftrace:print") != 0 || !t || t->kind != TN_KIND_STRUCT || ec->span_kind)
			continue;
		for (size_t k = 0; k < t->n_fields && !ec->marker; k++)
			if (strcmp(t->field[k].label, "buf") == 0 && t->field[k].type->kind == TN_KIND_STRING)
				ec->marker = &t->field[k];
		ec->span_kind = ec->marker ? &slice : NULL;
	}
}
