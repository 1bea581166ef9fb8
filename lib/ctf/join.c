/* join.c - join several folders that are one trace (ctf1-binary.md, 10.3) */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "ctf/alike.h"
#include "ctf/numbering.h"
#include "ctf/stream.h"

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
same_trace(const struct tn_trace *a, const struct tn_trace *b)
{
	const struct tn_ctf_trace *x = a->own, *y = b->own;
	bool uuids;

	if (x->is_ctf2 != y->is_ctf2)
		return false;
	uuids = a->has_uuid && b->has_uuid;
	/* If this is the same folder again, missing parts were already reported. */
	if (b->grows == a)
		return !(uuids && memcmp(a->uuid, b->uuid, 16) != 0) && same_text(a->name_space, b->name_space) &&
		       same_text(a->own_name, b->own_name) && same_text(a->uid, b->uid);
	if (x->is_ctf2 && (a->own_name || b->own_name || a->uid || b->uid))
		return a->own_name && a->uid && same_text(a->name_space, b->name_space) &&
		       same_text(a->own_name, b->own_name) && same_text(a->uid, b->uid);
	return uuids && memcmp(a->uuid, b->uuid, 16) == 0;
}

static struct tn_stream_class *
class_of(const struct tn_trace *trace, const struct tn_stream_class *like)
{
	for (size_t i = 0; i < trace->n_stream_classes; i++)
		if (trace->stream_class[i]->id == like->id && !trace->stream_class[i]->clock == !like->clock)
			return trace->stream_class[i];
	return NULL;
}

/*
 * Whether every class of @b is in @a, because metadata of one trace only grows. If metadata was rewritten with other
 * layouts or another clock offset, it is another trace, even with the same UUID. A folder that grows stays the same
 * trace.
 */
static bool
covers(const struct tn_trace *a, const struct tn_trace *b)
{
	if (a->n_stream_classes + a->n_event_classes < b->n_stream_classes + b->n_event_classes)
		return false;
	for (size_t i = 0; i < b->n_streams; i++)
		if (!class_of(a, b->stream[i]->stream_class))
			return false;
	for (size_t i = 0; a->grows != b && b->grows != a && i < b->n_stream_classes; i++) {
		const struct tn_stream_class *sc = class_of(a, b->stream_class[i]);

		if (sc && !tn_ctf_alike(sc, b->stream_class[i]))
			return false;
	}
	return true;
}

/* Exchange two traces, except their names. */
static void
exchange(struct tn_trace *a, struct tn_trace *b)
{
	struct tn_trace was = *a;

	*a = *b;
	*b = was;
	b->path = a->path;
	b->name = a->name;
	a->path = was.path;
	a->name = was.name;
	for (int i = 0; i < 2; i++) {
		struct tn_trace *t = i ? b : a;

		for (size_t k = 0; k < t->n_stream_classes; k++)
			t->stream_class[k]->trace = t;
		for (size_t k = 0; k < t->n_streams; k++)
			t->stream[k]->trace = t;
	}
}

/* Append the files of @from to those of @into, to make them one stream. */
static bool
join_files(struct tn_trace *trace, struct tn_stream *into, struct tn_stream *from)
{
	struct tn_ctf_stream *a = into->own, *b = from->own;
	size_t n = a->n_files + b->n_files;
	struct tn_stream_file *file = TN_NEW_ARRAY(&trace->arena, n, struct tn_stream_file);
	struct tn_ctf_file *own = file ? realloc(a->file, n * sizeof *own) : NULL;

	if (!own)
		return false;
	a->file = own;
	memcpy(file, into->file, a->n_files * sizeof *file);
	memcpy(file + a->n_files, from->file, b->n_files * sizeof *file);
	memcpy(own + a->n_files, b->file, b->n_files * sizeof *own);
	into->file = file;
	into->n_files = a->n_files = n;
	into->size += from->size;
	free(b->file);
	free(b);
	from->own = NULL;
	return true;
}

enum tn_code
tn_ctf_join(struct tn_trace *into, struct tn_trace *from, struct tn_error *err)
{
	struct tn_stream **all;
	size_t n;

	if (!same_trace(into, from))
		return TN_END;
	if (!covers(into, from)) {
		if (!covers(from, into))
			return TN_END;
		exchange(into, from);
	}
	n = into->n_streams;
	all = TN_NEW_ARRAY(&into->arena, n + from->n_streams + 1, struct tn_stream *);
	if (!all)
		return tn_fail_memory(err);
	if (n)
		memcpy(all, into->stream, n * sizeof *all);
	into->stream = all;
	for (size_t i = 0; i < from->n_streams; i++) {
		struct tn_stream *s = from->stream[i];
		size_t k = 0;

		s->trace = into;
		s->stream_class = class_of(into, s->stream_class);
		while (s->has_instance_id && k < n && !(all[k]->has_instance_id && all[k]->id == s->id &&
							all[k]->stream_class == s->stream_class))
			k++;
		if (!s->has_instance_id || k == n)
			into->stream[into->n_streams++] = s;
		else if (!join_files(into, all[k], s)) {
			/* The moved parts no longer belong to @s, but @s still exists. */
			s->trace = from;
			from->stream += i;
			from->n_streams -= i;
			return tn_fail_memory(err);
		}
	}
	from->n_streams = 0;
	tn_ctf_sort_streams(into);
	tn_ctf_number_streams(into);
	return TN_OK;
}
