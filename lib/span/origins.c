#include "span/origins.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

/* The last part of the path. */
static const char *
short_path(const struct tn_trace *t)
{
	const char *last = strrchr(t->path, '/');

	return last && last[1] ? last + 1 : t->path;
}

/*
 * Facts about streams from one pass: the number of streams with each name, and the traces with a stream of each name and
 * short path.
 */
struct seen {
	struct tn_hash names, places;
	TN_ARRAY(char *) text;		/* keys of the hash */
};

static void
seen_release(struct seen *s)
{
	tn_hash_release(&s->names);
	tn_hash_release(&s->places);
	for (size_t i = 0; i < s->text.n; i++)
		free(s->text.item[i]);
	TN_ARRAY_RELEASE(&s->text);
}

static char *
place_of(const struct tn_stream *s)
{
	return tn_printed("%s/%s", short_path(s->trace), s->name);
}

/* Find streams with the same name. If their traces also have the same name, the value is SIZE_MAX. */
static enum tn_code
look(struct seen *seen, const struct tn_set *set, struct tn_error *err)
{
	for (size_t i = 0; i < set->n_streams; i++) {
		const struct tn_stream *s = set->stream[i];
		struct tn_hash_item *item = tn_hash_add(&seen->names, s->name, strlen(s->name), NULL);
		char **text;
		bool is_new;

		if (!item)
			return tn_fail_memory(err);
		item->value++;
		text = TN_ARRAY_ADD(&seen->text);
		if (!text || !(*text = place_of(s)) || !(item = tn_hash_add(&seen->places, *text, strlen(*text), &is_new)))
			return tn_fail_memory(err);
		if (is_new)
			item->pointer = s->trace;
		else if (item->pointer != s->trace)
			item->pointer = NULL;
	}
	return TN_OK;
}

/* The prefix for names of a stream; NULL: none. */
static const char *
of_stream(const struct seen *seen, const struct tn_stream *s, const char *place)
{
	const struct tn_hash_item *name = tn_hash_find(&seen->names, s->name, strlen(s->name));
	const struct tn_hash_item *at = tn_hash_find(&seen->places, place, strlen(place));

	if (!name || name->value < 2)
		return NULL;
	return at && at->pointer ? short_path(s->trace) : s->trace->path;
}

enum tn_code
tn_origins_find(struct tn_origins *out, const struct tn_set *set, bool streams, struct tn_error *err)
{
	struct seen seen = { 0 };
	enum tn_code rc = TN_OK;

	*out = (struct tn_origins) { 0 };
	if (!streams && !tn_set_has_hosts(set))
		return TN_OK;
	if (streams)
		rc = look(&seen, set, err);
	if (rc == TN_OK && !(out->before = calloc(set->n_streams + 1, sizeof *out->before)))
		rc = tn_fail_memory(err);
	for (; rc == TN_OK && out->n < set->n_streams; out->n++) {
		const struct tn_stream *s = set->stream[out->n];
		const char *of = streams ? of_stream(&seen, s, seen.text.item[out->n]) : tn_stream_host(s);

		if (of && !(out->before[out->n] = tn_printed("%s:", of)))
			rc = tn_fail_memory(err);
	}
	seen_release(&seen);
	if (rc != TN_OK)
		tn_origins_release(out);
	return rc;
}

void
tn_origins_release(struct tn_origins *o)
{
	for (size_t i = 0; i < o->n; i++)
		free(o->before[i]);
	free(o->before);
	*o = (struct tn_origins) { 0 };
}

bool
tn_origins_own(const struct tn_origins *o, const struct tn_answer_value *v, uint32_t rank, struct tn_str *room,
	       struct tn_answer_value *out)
{
	*out = *v;
	if (v->kind == TN_ANSWER_NONE || rank >= o->n || !o->before[rank])
		return true;
	room->n = 0;
	tn_str_puts(room, o->before[rank]);
	tn_answer_value_text(v, room);
	*out = (struct tn_answer_value) { .kind = TN_ANSWER_TEXT, .text = tn_str_text(room), .n = room->n };
	return !room->failed;
}

void
tn_origins_strip(const struct tn_origins *o, struct tn_answer_value *v, uint32_t rank)
{
	const char *before = rank < o->n ? o->before[rank] : NULL;
	size_t n = before ? strlen(before) : 0;

	if (!n || v->kind != TN_ANSWER_TEXT || v->n < n || memcmp(v->text, before, n) != 0)
		return;
	v->text += n;
	v->n -= n;
}
