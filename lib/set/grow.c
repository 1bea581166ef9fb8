/*
 * grow.c - extend an open set of traces
 *
 * One mechanism handles files that get longer, new files and folders, and a relay's spool. A longer file is mapped
 * further. All other changes, also of metadata, are opened as a trace with only the new parts, which is joined to the
 * existing one: streams keep their packets and ranks.
 *
 * The order of checks matters: first the times up to which a relay's streams are known, then the sizes of files, then the
 * metadata. So the metadata describes each new packet, and the data up to each known time are complete.
 */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tnav/tnav.h>

#include "archive/archive.h"
#include "base/folder.h"
#include "base/listing.h"
#include "base/now.h"
#include "base/str.h"
#include "index/packet_index.h"
#include "set/set.h"

#define TELL_NS INT64_C(2000000000)	/* a trace that cannot be read for this time is reported */
#define STRAY 65536	/* a file of this size that is not a stream cannot become one */

struct longer {		/* a file that is now longer */
	struct tn_stream *stream;
	size_t file;
	uint64_t size;
};

struct grow {
	struct tn_own_set *own;
	bool alone;
	unsigned grew;
	TN_ARRAY(struct tn_known_end) ends;
	TN_ARRAY(struct longer) longer;
	bool no_memory;
};

/* ---- existing packets ---- */

static void
note_end(void *user, const struct tn_live_stream *s)
{
	struct grow *g = user;
	struct tn_known_end *e = TN_ARRAY_ADD(&g->ends);

	if (!e) {
		g->no_memory = true;
		return;
	}
	*e = (struct tn_known_end) {
		.trace = s->trace ? strdup(s->trace) : NULL, .name = strdup(s->name), .has_until = s->has_until,
		.ended = s->ended, .until = s->until, .silent_ns = s->silent_ns,
	};
	g->no_memory = g->no_memory || !e->name || (s->trace && !e->trace);
}

static void
mix(uint64_t *state, uint64_t v)
{
	*state = (*state ^ v) * UINT64_C(0xd6e8feb86659fd93);
	*state ^= *state >> 32;
}

/* The file of @trace with this state; NULL: none. */
static struct tn_stream *
find_file(const struct tn_trace *trace, const struct stat *st, size_t *file)
{
	for (size_t i = 0; trace && i < trace->n_streams; i++)
		for (size_t k = 0; k < trace->stream[i]->n_files; k++) {
			const struct tn_map *map = tn_stream_source(&trace->stream[i]->file[k]);

			if (map->device == (uint64_t)st->st_dev && map->inode == (uint64_t)st->st_ino) {
				*file = k;
				return trace->stream[i];
			}
		}
	return NULL;
}

static void
look_at_file(struct grow *g, struct tn_member *m, bool again, const char *path, const struct stat *st, uint64_t *state)
{
	size_t file;
	struct tn_stream *s = find_file(m->trace, st, &file);
	struct longer *l;

	if (!s && !st->st_size)
		return;
	if (!s) {
		mix(state, (uint64_t)st->st_ino);
		mix(state, (uint64_t)(st->st_size < STRAY ? st->st_size : STRAY));
		return;
	}
	if (strcmp(s->file[file].path, path) != 0) {	/* its folder was moved, because a session was rotated */
		const char *now = tn_arena_string(&s->trace->arena, path);

		if (now)
			s->file[file].path = now;
	}
	if (again || !s->trace->ops->grow)
		return;
	if (tn_file_is_overwritten(s, &s->file[file], st)) {
		tn_tell(&g->own->set.problems, TN_NOTE, "%s: the tracer has overwritten the file: its earlier events are no "
							"longer shown",
			path);
		tn_index_lose_file(s, file);
		g->grew |= TN_GREW_ROWS;
		mix(state, (uint64_t)st->st_ino);
		mix(state, UINT64_MAX);	/* another file has this name now: open it as a new file */
		return;
	}
	if ((uint64_t)st->st_size <= s->file[file].map.size)
		return;
	l = TN_ARRAY_ADD(&g->longer);
	if (l)
		*l = (struct longer) { s, file, (uint64_t)st->st_size };
	else
		g->no_memory = true;
}

/* The state of a folder's contents, as checksums; 0: missing. */
struct state {
	uint64_t metadata;
	uint64_t unknown;	/* checksum of the files that are not in a stream */
};

/* Read the names in a folder that grows. If the folder is missing, it was moved, and is found at its new place. */
static void
list_member(struct grow *g, struct tn_member *m, struct tn_listing *out)
{
	struct tn_error why = { 0 };
	enum tn_code rc = tn_listing_read(out, m->found.path, &why);
	int error = errno;

	g->no_memory = g->no_memory || rc == TN_ERR_MEMORY;
	if (rc == TN_OK || rc == TN_ERR_MEMORY) {
		m->told_folder = m->told_folder && rc != TN_OK;
	} else if (error != ENOENT && error != ENOTDIR && !m->told_folder) {
		m->told_folder = true;
		tn_tell(&g->own->set.problems, TN_DAMAGE, "%s: new data in this folder is not shown", why.text);
	}
}

/* Check the files of a folder, then its metadata. @again: only files that are already known. */
static struct state
look_at_member(struct grow *g, struct tn_member *m, bool again)
{
	struct tn_listing names;
	struct state state = { 0 };
	struct tn_str path = { 0 };
	struct stat st;

	list_member(g, m, &names);
	for (size_t i = 0; i < names.n; i++) {
		if (names.name[i][0] == '.' || strcmp(names.name[i], "metadata") == 0)
			continue;
		tn_str_clear(&path);
		tn_str_printf(&path, "%s/%s", m->found.path, names.name[i]);
		if (!path.failed && stat(path.text, &st) == 0 && S_ISREG(st.st_mode)) {
			uint64_t one = 0;

			look_at_file(g, m, again, path.text, &st, &one);
			state.unknown += one;	/* the sum does not depend on the order in the folder */
		}
	}
	tn_listing_release(&names);
	tn_str_clear(&path);
	tn_str_printf(&path, "%s/metadata", m->found.path);
	if (!path.failed && stat(path.text, &st) == 0) {
		mix(&state.metadata, (uint64_t)st.st_ino);
		mix(&state.metadata, (uint64_t)st.st_size);
	}
	g->no_memory = g->no_memory || path.failed;
	tn_str_release(&path);
	/* Traces of formats that do not grow are opened once, and again only if that failed. */
	if (!m->found.format->grow && stat(m->found.path, &st) == 0) {
		mix(&state.unknown, (uint64_t)st.st_ino);
		mix(&state.unknown, (uint64_t)st.st_size);
		mix(&state.unknown, (uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec);
	}
	return state;
}

/* ---- adding new parts ---- */

struct count { size_t classes, streams, files; };

static struct count
count_of(const struct tn_trace *t)
{
	struct count c = { 0 };

	if (t) {
		c = (struct count) { t->n_event_classes + t->n_stream_classes, t->n_streams, 0 };
		for (size_t i = 0; i < t->n_streams; i++)
			c.files += t->stream[i]->n_files;
	}
	return c;
}

/* Some files of the trace are not those for which the index was made. */
static enum tn_code
look_again(const struct tn_trace *t, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc >= 0 && i < t->n_streams; i++)
		if (t->stream[i]->index.guard && t->ops->grow)
			rc = tn_index_grow(t->stream[i], 0, 0, err);
	return rc < 0 ? rc : TN_OK;
}

static enum tn_code
open_member(struct grow *g, struct tn_member *m)
{
	struct tn_own_set *own = g->own;
	struct tn_trace *t, *into = NULL;
	size_t joined = own->joined.n;
	struct count before = { 0 }, after = { 0 };
	enum tn_code rc = tn_set_open_trace(own, &m->found, m->trace, &t, &m->why);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < own->set.n_traces; i++) {	/* when it is joined, the trace that it joins is known */
		struct count c = count_of(own->set.trace[i]);

		before.classes += c.classes;
		before.streams += c.streams;
		before.files += c.files;
	}
	if ((rc = tn_set_add_trace(own, t, &into, &m->why)) < 0)
		return rc;
	for (size_t i = 0; i < own->set.n_traces; i++) {
		struct count c = count_of(own->set.trace[i]);

		after.classes += c.classes;
		after.streams += c.streams;
		after.files += c.files;
	}
	m->trace = into;
	if (after.classes == before.classes && after.files == before.files && own->joined.n == joined + 1) {
		tn_set_free_trace(own->joined.item[--own->joined.n]);	/* the joined trace has nothing new */
		return TN_OK;
	}
	g->grew |= after.classes != before.classes ? TN_GREW_CLASSES : 0;
	g->grew |= after.streams != before.streams ? TN_GREW_STREAMS : 0;
	if (after.streams == before.streams && after.files != before.files)
		g->grew |= TN_GREW_ROWS;
	return look_again(into, &m->why);
}

/* The folder has changed: add its new parts. */
static void
change_member(struct grow *g, struct tn_member *m, struct state state)
{
	struct state now;
	enum tn_code rc;

	if (!g->alone) {
		size_t kept = 0;

		g->grew |= TN_GREW_WAITS;
		/* Packets of the trace may have classes that are not known yet. */
		for (size_t i = 0; i < g->longer.n; i++)
			if (g->longer.item[i].stream->trace != m->trace)
				g->longer.item[kept++] = g->longer.item[i];
		g->longer.n = kept;
		return;
	}
	m->why.code = TN_OK;
	rc = open_member(g, m);
	g->no_memory = rc == TN_ERR_MEMORY;
	if (g->no_memory)	/* the next check tries it again */
		return;
	/* Files that are still unknown have no data yet. Unless they change, they are not tried again. */
	now = look_at_member(g, m, true);
	m->metadata = state.metadata;
	m->strays = now.unknown == state.unknown ? now.unknown : 0;
	if (rc == TN_OK) {
		m->since_ns = 0;
		m->told = false;
		if (!m->found.format->grow && g->own->n_plain)
			tn_tell(&g->own->set.problems, TN_WARNING, "%s: shown as it is now: tnav does not follow traces in this "
				"format (%s); open it again to see more", m->found.path, m->found.format->name);
	} else if (!m->since_ns) {
		m->since_ns = tn_now_ns();
	}
}

static void
look_at_members(struct grow *g)
{
	for (size_t i = 0; i < g->own->members.n && !g->no_memory; i++) {
		struct tn_member *m = &g->own->members.item[i];
		struct state state;

		if (!m->found.format->grow && (m->trace || g->own->unpacking))
			continue;
		state = look_at_member(g, m, false);
		if (state.metadata != m->metadata || (state.unknown && state.unknown != m->strays))
			change_member(g, m, state);
		if (m->since_ns && !m->told && tn_now_ns() - m->since_ns > TELL_NS) {
			m->told = true;
			tn_tell(&g->own->set.problems, TN_WARNING, "%s: cannot be read yet: %s", m->found.path, m->why.text);
		}
	}
}

/* Add a folder, or note that a known folder was moved. */
static bool
add_member(struct tn_own_set *own, struct tn_found *found)
{
	struct tn_member *m;

	for (size_t i = 0; i < own->members.n; i++) {
		struct tn_found *known = &own->members.item[i].found;

		if (memcmp(&known->id, &found->id, sizeof known->id) != 0)
			continue;
		if (strcmp(known->path, found->path) != 0) {
			tn_found_release(known);
			*known = *found;
			*found = (struct tn_found) { 0 };
		}
		return true;
	}
	m = TN_ARRAY_ADD(&own->members);
	if (!m)
		return false;
	m->found = *found;
	*found = (struct tn_found) { 0 };
	return true;
}

static enum tn_code
search(struct grow *g, struct tn_error *err)
{
	struct tn_own_set *own = g->own;
	struct tn_search search = {
		.formats = own->formats, .wanted = own->options.format, .options = &own->options, .growing = true,
		.problems = own->searched ? NULL : &own->set.problems,
		.unpacked = own->fresh ? &own->unpacked : NULL,
	};
	enum tn_code rc = TN_OK;

	own->searched = true;
	for (size_t i = 0; rc == TN_OK && i < own->path.n; i++)
		rc = tn_search_argument(&search, own->path.item[i], err);
	for (size_t i = 0; rc == TN_OK && i < search.traces.n; i++)
		if (!add_member(own, &search.traces.item[i]))
			rc = tn_fail_memory(err);
	tn_search_release(&search);
	return rc;
}

/* Note the breaks of a stream. Call this before the packets after them are searched for. */
static void
note_breaks(void *user, const char *trace, const char *name, const uint64_t *offset, size_t n)
{
	const struct grow *g = user;
	for (size_t i = 0; i < g->own->set.n_traces; i++)
		for (size_t k = 0; k < g->own->set.trace[i]->n_streams; k++) {
			struct tn_stream *s = g->own->set.trace[i]->stream[k];

			for (size_t f = 0; s->index.guard && f < s->n_files; f++) {
				const char *below = tn_folder_below(trace, s->file[f].path);

				if (below && strcmp(below, name) == 0)
					tn_index_note_breaks(s, f, offset, n);
			}
		}
}

static enum tn_code
take_in(struct grow *g, struct tn_error *err)
{
	struct tn_set *set = &g->own->set;
	enum tn_code rc = search(g, err);

	if (rc < 0)
		return rc;
	look_at_members(g);
	if (g->no_memory)
		return tn_fail_memory(err);
	if (g->alone)
		rc = tn_set_rank_streams(set, err);
	for (size_t i = 0; i < g->own->live.n; i++)
		tn_live_breaks(g->own->live.item[i].live, note_breaks, g);
	for (size_t i = 0; rc == TN_OK && i < g->longer.n; i++) {
		const struct longer *l = &g->longer.item[i];

		rc = tn_index_grow(l->stream, l->file, l->size, err);
		if (rc == TN_ERR_NOT_FOUND)	/* just moved or removed: the next check reports it */
			rc = TN_OK;
		else
			g->grew |= TN_GREW_ROWS;
	}
	if (g->alone && rc == TN_OK)
		rc = tn_set_listen(g->own, err);
	if (g->grew & (TN_GREW_ROWS | TN_GREW_STREAMS | TN_GREW_CLASSES))
		set->grown++;
	return rc;
}

/* ---- relays, and archives ---- */

/* Report the messages of relays and archives, and whether all of them have ended. */
static void
listen_to_sources(struct tn_own_set *own, struct tn_growth *out)
{
	tn_archives_look(own, out);
	out->live = own->live.n > 0;
	out->over = own->live.n + own->packed.n > 0 && own->n_plain == 0 && !out->unpacking;
	for (size_t i = 0; i < own->live.n; i++) {
		struct tn_own_live *l = &own->live.item[i];
		struct tn_live_look look;
		enum tn_severity severity;
		char text[TN_ERROR_SIZE];

		while (tn_live_news(l->live, &severity, text, sizeof text))
			tn_tell(&own->set.problems, severity, "%s", text);
		tn_live_look(l->live, &look);
		out->packets += look.packets;
		out->bytes += look.bytes;
		out->lost = out->lost || look.phase == TN_LIVE_LOST;
		l->connecting = look.phase == TN_LIVE_CONNECTING;
		if (look.phase == TN_LIVE_FAILED && !l->told) {
			l->told = true;
			tn_tell(&own->set.problems, TN_DAMAGE, "%s", look.error.text);
		}
		if (look.phase != TN_LIVE_FAILED && look.phase != TN_LIVE_ENDED)
			out->over = false;
	}
}

static void
release(struct grow *g)
{
	for (size_t i = 0; i < g->ends.n; i++) {
		free(g->ends.item[i].trace);
		free(g->ends.item[i].name);
	}
	TN_ARRAY_RELEASE(&g->ends);
	TN_ARRAY_RELEASE(&g->longer);
}

enum tn_code
tn_set_grow(struct tn_set *set, bool alone, struct tn_growth *out, struct tn_error *err)
{
	if (!set || !out)
		return tn_fail_null(err);

	struct grow g = { .own = (struct tn_own_set *)set, .alone = alone };
	enum tn_code rc;

	*out = (struct tn_growth) { 0 };
	if (!g.own->formats)
		return TN_OK;
	listen_to_sources(g.own, out);	/* first, because when all have ended, all data are present */
	for (size_t i = 0; i < g.own->live.n; i++)
		tn_live_streams(g.own->live.item[i].live, note_end, &g);
	tn_set_retain(g.own);	/* for rows that were settled and visible before this call */
	tn_set_pass(g.own);
	rc = g.no_memory ? tn_fail_memory(err) : take_in(&g, err);
	out->grew = g.grew;
	if (rc == TN_OK)
		tn_set_find_settled(g.own, g.ends.item, g.ends.n, alone, out);
	for (size_t i = 0; i < g.own->members.n && !out->missing; i++)
		if (g.own->members.item[i].since_ns)
			out->missing = g.own->members.item[i].why.text;
	release(&g);
	return rc;
}

enum tn_code
tn_set_settle(struct tn_set *set, struct tn_error *err)
{
	if (!set)
		return tn_fail_null(err);

	struct tn_own_set *own = (struct tn_own_set *)set;
	enum tn_code rc = TN_OK;

	own->options.growing = false;
	for (size_t i = 0; rc == TN_OK && i < set->n_traces; i++)
		rc = look_again(set->trace[i], err);
	set->grown++;
	return rc;
}

/* ---- opening ---- */

bool
tn_path_is_live(const char *path)
{
	if (!path)
		return false;
	return tn_live_url_is(path);
}

bool
tn_grow_is_wanted(const struct tn_own_set *own, const char *const *path, size_t n)
{
	bool wanted = own->options.growing;

	for (size_t i = 0; i < n; i++)
		wanted = wanted || tn_live_url_is(path[i]);
	return wanted;
}

static enum tn_code
add_path(struct tn_own_set *own, const char *path, struct tn_error *err)
{
	char **copy = TN_ARRAY_ADD(&own->path);

	if (!copy || !(*copy = strdup(path)))
		return tn_fail_memory(err);
	return TN_OK;
}

static enum tn_code
add_live(struct tn_own_set *own, const char *address, struct tn_error *err)
{
	const struct tn_live_options how = { .from_now = own->options.live_from_now };
	struct tn_own_live *live = TN_ARRAY_ADD(&own->live);
	struct tn_live_url url;
	enum tn_code rc;

	if (!live)
		return tn_fail_memory(err);
	if (!(live->address = strdup(address))) {
		own->live.n--;
		return tn_fail_memory(err);
	}
	rc = tn_live_url_parse(&url, address, err);
	if (rc == TN_OK && !url.has_session)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "%s: the address has no session: write "
						   "net://RELAY/host/MACHINE/SESSION", address);
	if (rc == TN_OK)
		rc = tn_live_open(&live->live, &url, &how, err);
	if (rc < 0) {
		free(live->address);
		own->live.n--;
		return rc;
	}
	return add_path(own, tn_live_folder(live->live), err);
}

static void
tell_left(void *user, const char *path, uint64_t bytes)
{
	const struct tn_own_set *own = user;

	tn_tell(&own->set.problems, TN_WARNING, "%s: %" PRIu64 " bytes of a live session, left by a program that crashed: open "
		"the folder with tnav, or remove it", path, bytes);
}

enum tn_code
tn_grow_begin(struct tn_own_set *own, const struct tn_format *const *formats, const char *const *path, size_t n,
	      struct tn_error *err)
{
	struct tn_own_archive *packed;
	struct tn_growth growth;
	enum tn_code rc = TN_OK;

	own->files_grow = own->options.growing;
	own->options.growing = own->options.no_index_cache = true;
	own->formats = formats;
	if (n && tn_live_url_is(path[0]))
		tn_live_find_left(tell_left, own);
	for (size_t i = 0; rc == TN_OK && i < n; i++) {
		if (tn_live_url_is(path[i])) {
			rc = add_live(own, path[i], err);
		} else if ((packed = tn_archives_find(own, i)) != NULL) {
			packed->path = own->path.n;
			rc = add_path(own, tn_unpack_folder(packed->unpack), err);
		} else {
			rc = add_path(own, path[i], err);
			own->n_plain += own->files_grow;
		}
	}
	if (rc == TN_OK)
		rc = tn_set_listen(own, err);
	return rc == TN_OK ? tn_set_grow(&own->set, true, &growth, err) : rc;
}

void
tn_set_leave(struct tn_set *set)
{
	if (!set)
		return;

	struct tn_own_set *own = (struct tn_own_set *)set;

	for (size_t i = 0; i < own->live.n; i++) {
		tn_live_close(own->live.item[i].live);
		free(own->live.item[i].address);
	}
	own->live.n = 0;
	tn_archives_end(own);
}

void
tn_grow_end(struct tn_own_set *own)
{
	tn_set_leave(&own->set);
	for (size_t i = 0; i < own->path.n; i++)
		free(own->path.item[i]);
	for (size_t i = 0; i < own->members.n; i++)
		tn_found_release(&own->members.item[i].found);
	TN_ARRAY_RELEASE(&own->live);
	TN_ARRAY_RELEASE(&own->path);
	TN_ARRAY_RELEASE(&own->members);
	TN_ARRAY_RELEASE(&own->ends);
	TN_ARRAY_RELEASE(&own->late);
}

/* ---- the sessions of a relay ---- */

struct listing {
	void (*one)(void *user, const struct tn_live_entry *entry);
	void *user;
};

static void
list_one(void *user, const struct tn_live_session *s)
{
	const struct listing *l = user;
	const struct tn_live_entry entry = { s->machine, s->session, s->timer_us, s->viewers, s->streams };

	l->one(l->user, &entry);
}

enum tn_code
tn_live_sessions(const char *address, bool *names_session, void (*one)(void *user, const struct tn_live_entry *entry),
		 void *user, struct tn_error *err)
{
	if (!address)
		return tn_fail_null(err);

	struct listing listing = { one, user };
	struct tn_live_url url;
	enum tn_code rc = tn_live_url_parse(&url, address, err);

	if (rc < 0)
		return rc;
	*names_session = url.has_session;
	return url.has_session ? TN_OK : tn_live_list(&url, 0, list_one, &listing, err);
}
