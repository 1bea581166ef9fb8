#define _GNU_SOURCE
#include "folder.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf/ctf.h"

static void
on_problem(void *user, const struct tn_problem *p)
{
	static const char *const names[] = { "note", "warning", "damage" };
	struct folder *f = user;

	tn_str_printf(&f->told, "%s: %s\n", names[p->severity], p->text);
}

void
folder_new(struct folder *f, const char *metadata)
{
	memset(f, 0, sizeof *f);
	strcpy(f->path, "/tmp/tnav-ctf-XXXXXX");
	cr_assert(mkdtemp(f->path));
	folder_add(f, "metadata", metadata, strlen(metadata));
}

static void
remove_all(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;
	char name[600];

	while (d && (e = readdir(d))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		snprintf(name, sizeof name, "%s/%s", path, e->d_name);
		if (unlink(name) != 0)
			remove_all(name);
	}
	if (d)
		closedir(d);
	rmdir(path);
}

void
folder_free(struct folder *f)
{
	remove_all(f->path);
	tn_str_release(&f->told);
}

void
folder_add(const struct folder *f, const char *name, const void *bytes, size_t n)
{
	const char *slash = strchr(name, '/');
	char path[400];
	FILE *out;

	if (slash) {
		snprintf(path, sizeof path, "%s/%.*s", f->path, (int)(slash - name), name);
		mkdir(path, 0777);
	}
	snprintf(path, sizeof path, "%s/%s", f->path, name);
	out = fopen(path, "wb");
	cr_assert(out);
	cr_assert_eq(fwrite(bytes, 1, n, out), n);
	cr_assert_eq(fclose(out), 0);
}

size_t
hex(const char *p, uint8_t *out, size_t room)
{
	size_t n = 0;
	unsigned byte;

	while (*p) {
		if (*p == '#') {
			p += strcspn(p, "\n");
		} else if (strchr(" \t\n|", *p)) {
			p++;
		} else {
			cr_assert(n < room && sscanf(p, "%2x", &byte) == 1, "hex: %.20s", p);
			out[n++] = (uint8_t)byte;
			p += 2;
		}
	}
	return n;
}

void
folder_add_hex(const struct folder *f, const char *name, const char *text)
{
	static uint8_t room[1 << 16];

	folder_add(f, name, room, hex(text, room, sizeof room));
}

struct tn_trace *
folder_open(struct folder *f)
{
	static const struct tn_open_options options;
	struct tn_trace *t = calloc(1, sizeof *t);
	struct tn_error err = { 0 };

	t->path = tn_arena_string(&t->arena, f->path);
	t->options = &options;
	t->ops = &tn_format_ctf;
	t->problems = (struct tn_problems) { on_problem, f };
	cr_assert_eq(t->ops->open(t, &err), TN_OK, "%s", err.text);
	return t;
}

void
trace_close(struct tn_trace *t)
{
	tn_trace_release(t);
	free(t);
}

void
index_all(struct tn_trace *t)
{
	struct tn_error err = { 0 };

	for (size_t i = 0; i < t->n_streams; i++) {
		struct tn_stream *s = t->stream[i];
		int64_t last = INT64_MIN;

		while (!s->index.complete)
			cr_assert_eq(t->ops->extend(s, &err), TN_OK, "%s", err.text);
		for (size_t k = 0; k < s->index.n; k++) {
			const struct tn_packet *p = &s->index.packet[k];
			uint64_t size = s->file[p->file].map.size;

			cr_assert(p->content_bits <= p->size_bits && p->offset < size);
			cr_assert(p->size_bits <= (size - p->offset) * 8 && p->size_bits > 0);
			cr_assert(p->begin_ns <= p->end_ns && p->end_ns >= last);
			cr_assert(!s->stream_class->clock || p->begin_ns >= last);
			last = s->stream_class->clock ? p->end_ns : last;
		}
	}
}

static void
add_event(struct tn_str *out, const struct tn_batch *b, size_t i, struct tn_event *e)
{
	const struct tn_value *v, *end;
	struct tn_error err = { 0 };

	cr_assert_eq(b->stream->trace->ops->read(b, i, TN_SCOPE_ALL, e, &err), TN_OK, "%s", err.text);
	cr_assert(e->end_bit > e->bit && e->end_bit <= b->entry.size_bits);
	tn_str_printf(out, "%s", e->name ? e->name : "?");
	if (e->scope[TN_SCOPE_PAYLOAD] == UINT32_MAX)
		return;
	v = &e->value[e->scope[TN_SCOPE_PAYLOAD]];
	for (end = v + v->next; v < end; v++) {
		cr_assert(v->end >= v->bit && v->next >= 1 && v + v->next <= end);
		if (v->field->type->kind == TN_KIND_SINT)
			tn_str_printf(out, " %" PRId64, v->i);
		else if (v->field->type->kind <= TN_KIND_BITMAP && v->field->type->length <= 64)
			tn_str_printf(out, " %" PRIu64, v->u);
		else if (v->field->type->kind == TN_KIND_STRING)
			tn_str_printf(out, " \"%.*s\"", (int)v->size, (const char *)v->bytes);
	}
}

static void
add_notice(struct tn_str *out, const struct tn_notice *n)
{
	if (n->kind == TN_ROW_DAMAGE) {
		cr_assert(n->text);
		tn_str_printf(out, "damage: %s", n->text);
		return;
	}
	if (n->count == TN_UNKNOWN)
		tn_str_puts(out, "lost unknown");
	else
		tn_str_printf(out, "lost %" PRIu64, n->count);
	tn_str_puts(out, n->kind == TN_ROW_LOST_EVENTS ? " events" : " packets");
	if (n->has_range)
		tn_str_printf(out, " %" PRId64 " to %" PRId64, n->begin_ns, n->end_ns);
}

/* A walk that only counts gives the same number, or the rows; without rows the packet has no damage. */
static void
count_packet(struct tn_stream *s, struct tn_batch *b, uint64_t events, bool damaged)
{
	struct tn_error err = { 0 };

	tn_batch_clear(b);
	b->begin = (struct tn_mark) { .clock = b->entry.clock_start, .key = b->entry.begin_ns };
	b->limit = 0;
	b->counts = true;
	cr_assert_eq(s->trace->ops->walk(b, &err), TN_OK, "%s", err.text);
	if (b->last)
		cr_assert_eq(b->n_events, events, "packet %zu: %zu counted, %" PRIu64 " walked", b->packet, b->n_events, events);
	cr_assert(!damaged || b->notices.n, "packet %zu: counted in spite of damage", b->packet);
	cr_assert(b->end.key >= b->entry.begin_ns && b->end.key <= b->entry.end_ns);
	b->counts = false;
}

void
rows(struct tn_stream *s, uint32_t limit, struct tn_str *out)
{
	const struct tn_format *ops = s->trace->ops;
	struct tn_batch b = { 0 };
	struct tn_event e = { 0 };
	struct tn_error err = { 0 };
	int64_t key = INT64_MIN;

	for (size_t k = 0; k < s->index.n; k++) {
		const struct tn_packet *p = &s->index.packet[k];
		struct tn_mark mark = { .clock = p->clock_start, .key = p->begin_ns };
		uint64_t events = 0;
		bool damaged = false;

		do {
			tn_batch_clear(&b);
			b.stream = s;
			b.packet = k;
			b.entry = *p;
			b.has_before = k > 0;
			if (k)
				b.before = p[-1];
			b.limit = limit;
			b.begin = mark;
			cr_assert_eq(ops->walk(&b, &err), TN_OK, "%s", err.text);
			cr_assert(b.refs.n <= limit);
			cr_assert(b.last || b.refs.n, "packet %zu: a walk that does not come on", k);
			for (size_t i = 0; i < b.refs.n; i++) {
				const struct tn_ref *r = &b.refs.item[i];

				cr_assert(r->time_ns >= key, "packet %zu: merge keys fall", k);
				cr_assert(r->time_ns >= p->begin_ns && r->time_ns <= p->end_ns);
				key = r->time_ns;
				if (s->stream_class->clock)
					tn_str_printf(out, "%" PRId64 " ", tn_batch_time(&b, i));
				if (r->event_class == TN_REF_NOTICE) {
					damaged |= b.notices.item[r->bit].kind == TN_ROW_DAMAGE;
					add_notice(out, &b.notices.item[r->bit]);
				} else {
					events++;
					add_event(out, &b, i, &e);
				}
				tn_str_putc(out, '\n');
			}
			cr_assert_eq(b.end.row, b.begin.row + b.refs.n);
			mark = b.end;
		} while (!b.last);
		cr_assert(p->n_events == TN_UNKNOWN || damaged || p->n_events == events,
			  "packet %zu: %" PRIu64 " known, %" PRIu64 " walked", k, p->n_events, events);
		count_packet(s, &b, events, damaged);
	}
	tn_batch_release(&b);
	tn_event_release(&e);
}
