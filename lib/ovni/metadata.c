/*
 * metadata.c - stream.json (2) and the marks it defines (9)
 *
 * Only mistakes that make a stream unreadable are errors; violations of other rules are reported, and the
 * events are shown (10).
 */
#include "ovni/private.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/str.h"

#define JSON_MAX (UINT64_C(64) << 20)	/* bytes of a stream.json */
#define LOOM_MAX 512
#define CPUS_MAX 65536
#define COUNTERS_MAX 100
#define LABELS_MAX 65536	/* labels of a mark type */

struct loader {
	struct tn_trace *trace;
	struct tn_ovni_meta *meta;
	char path[4096];	/* path of the stream.json */
	struct tn_arena arena;	/* the JSON */
	bool failed;		/* memory is out */
};

#define wrong(l, ...) tn_tell(&(l)->trace->problems, TN_WRONG, __VA_ARGS__)
#define warn(l, ...) tn_tell(&(l)->trace->problems, TN_WARNING, __VA_ARGS__)	/* the trace's rules allow it */

static const char *
copy(struct loader *l, const char *text)
{
	const char *s = tn_arena_string(&l->trace->arena, text);

	l->failed |= !s;
	return s;
}

/* Accept comments of C, as the reader of the tracer does. */
static enum tn_code
parse_text(struct loader *l, struct tn_json **out, struct tn_error *err)
{
	const char *text = l->meta->text;
	struct tn_json_fault fault;
	size_t line, column;
	enum tn_code rc = tn_json_parse_all(out, &l->arena, text, l->meta->text_size, TN_JSON_COMMENTS, &fault, err);

	if (rc != TN_ERR_FORMAT)
		return rc;
	tn_json_line(text, fault.at, &line, &column);
	return tn_at(err, rc, "%s:%zu:%zu: not valid JSON", l->path, line, column);
}

static enum tn_code
load_text(struct loader *l, struct tn_json **out, struct tn_error *err)
{
	struct tn_map map;
	enum tn_code rc = tn_map_open(&map, l->path, err);

	if (rc < 0)
		return rc;
	if (map.size > JSON_MAX) {
		rc = tn_fail(err, TN_ERR_FORMAT, "%s: a stream.json of %zu bytes is too large", l->path, map.size);
	} else {
		l->meta->text = tn_arena_copy(&l->trace->arena, map.data ? (const char *)map.data : "", map.size);
		l->meta->text_size = map.size;
		rc = l->meta->text ? parse_text(l, out, err) : tn_fail_memory(err);
	}
	tn_map_release(&map);
	return rc;
}

static bool
is_number(const struct tn_json *v)
{
	return v && (v->kind == TN_JSON_INTEGER || v->kind == TN_JSON_REAL);
}

/* The tracer reads numbers as doubles, and cuts them if it needs an integer (2). */
static int64_t
cut(const struct loader *l, const struct tn_json *v)
{
	return tn_json_truncate(v, l->meta->text);
}

static enum tn_code
check_version(struct loader *l, const struct tn_json *root, struct tn_error *err)
{
	const struct tn_json *version;

	if (root->kind != TN_JSON_OBJECT)
		return tn_fail(err, TN_ERR_FORMAT, "%s: not a JSON object", l->path);
	version = tn_json_get(root, "version");
	if (!version)
		return tn_fail(err, TN_ERR_FORMAT, "%s: no \"version\"", l->path);
	if (!is_number(version))
		return tn_fail(err, TN_ERR_FORMAT, "%s: \"version\" is not a number", l->path);
	if (cut(l, version) != 3)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: \"version\" is %" PRId64 ": tnav reads only 3", l->path,
			       cut(l, version));
	return TN_OK;
}

/* Get a number that the tracer stores as an int; @def if the number is absent or of another kind. */
static int64_t
get_number(struct loader *l, const struct tn_json *object, const char *key, int64_t def)
{
	const struct tn_json *v = tn_json_get(object, key);
	int64_t n;

	if (!v)
		return def;
	n = is_number(v) ? cut(l, v) : 0;
	if (!is_number(v) || n > INT_MAX || n < INT_MIN) {
		wrong(l, "%s: \"ovni.%s\" is not a number of 32 bits", l->path, key);
		return def;
	}
	return n;
}

static const char *
get_text(struct loader *l, const struct tn_json *object, const char *key)
{
	const struct tn_json *v = tn_json_get(object, key);

	if (!v)
		return NULL;
	if (!tn_json_text(v)) {
		wrong(l, "%s: \"ovni.%s\" is not a string", l->path, key);
		return NULL;
	}
	return copy(l, tn_json_text(v));
}

static void
load_thread(struct loader *l, const struct tn_json *ovni)
{
	struct tn_ovni_meta *m = l->meta;

	m->part = get_text(l, ovni, "part");
	if (!m->part)
		wrong(l, "%s: no \"ovni.part\": read as a thread", l->path);
	else if (strcmp(m->part, "thread") != 0)
		warn(l, "%s: \"ovni.part\" is \"%s\": tnav knows only \"thread\", and shows the events",
		     l->path, m->part);
	m->tid = get_number(l, ovni, "tid", 0);
	m->pid = get_number(l, ovni, "pid", 0);
	if (!m->tid)
		wrong(l, "%s: \"ovni.tid\" is missing or 0", l->path);
	if (!m->pid)
		wrong(l, "%s: \"ovni.pid\" is missing or 0", l->path);
	m->loom = get_text(l, ovni, "loom");
	if (!m->loom || !*m->loom)
		wrong(l, "%s: no \"ovni.loom\"", l->path);
	else if (strchr(m->loom, '/'))
		wrong(l, "%s: the name \"%s\" in \"ovni.loom\" has a '/'", l->path, m->loom);
	else if (strlen(m->loom) >= LOOM_MAX)
		wrong(l, "%s: the name in \"ovni.loom\" has %zu bytes: the limit is %d", l->path, strlen(m->loom),
		     LOOM_MAX - 1);
}

static void
load_process(struct loader *l, const struct tn_json *ovni)
{
	struct tn_ovni_meta *m = l->meta;
	bool has_rank = tn_json_get(ovni, "rank"), has_n = tn_json_get(ovni, "nranks");

	m->app_id = get_number(l, ovni, "app_id", 0);
	if (tn_json_get(ovni, "app_id") && m->app_id <= 0)
		wrong(l, "%s: \"ovni.app_id\" must be above 0", l->path);
	m->rank = get_number(l, ovni, "rank", -1);
	m->n_ranks = get_number(l, ovni, "nranks", -1);
	if (has_rank != has_n)
		wrong(l, "%s: only one of \"ovni.rank\" and \"ovni.nranks\" is present", l->path);
	else if (has_rank && (m->rank < 0 || m->rank >= m->n_ranks))
		wrong(l, "%s: rank %" PRId64 " of %" PRId64, l->path, m->rank, m->n_ranks);
}

static void
load_cpus(struct loader *l, const struct tn_json *ovni)
{
	const struct tn_json *list = tn_json_get(ovni, "loom_cpus");
	size_t n = list && list->kind == TN_JSON_ARRAY ? list->n : 0;

	if (!list)
		return;
	if (!n) {
		wrong(l, "%s: \"ovni.loom_cpus\" is not an array of CPUs", l->path);
		return;
	}
	if (n > CPUS_MAX) {
		warn(l, "%s: %zu CPUs: only the first %d are read", l->path, n, CPUS_MAX);
		n = CPUS_MAX;
	}
	l->meta->cpu = TN_NEW_ARRAY(&l->trace->arena, n, struct tn_ovni_cpu);
	if (!l->meta->cpu) {
		l->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const struct tn_json *cpu = &list->child[i], *index = tn_json_get(cpu, "index");
		const struct tn_json *phyid = tn_json_get(cpu, "phyid");

		if (!is_number(index) || !is_number(phyid) || cut(l, index) < 0 || cut(l, phyid) < 0) {
			wrong(l, "%s: CPU %zu of \"ovni.loom_cpus\" has no \"index\" and \"phyid\" of 0 or more", l->path, i);
			continue;
		}
		l->meta->cpu[l->meta->n_cpus++] = (struct tn_ovni_cpu) { cut(l, index), cut(l, phyid) };
	}
}

/* Accept a version if its major number is equal to ours, and its minor number is not newer (2). */
static void
check_required(struct loader *l, const char *name, const struct tn_json *version)
{
	const char *text = tn_json_text(version);
	unsigned major, minor, patch, known_major = 0, known_minor = 0;
	struct tn_ovni_required *r;
	size_t i;

	if (!text || sscanf(text, "%u.%u.%u", &major, &minor, &patch) != 3) {
		wrong(l, "%s: the version of \"ovni.require.%s\" is not \"major.minor.patch\"", l->path, name);
		return;
	}
	for (i = 0; i < tn_ovni_n_models && strcmp(tn_ovni_models[i].name, name) != 0; i++)
		;
	if (i == tn_ovni_n_models) {
		warn(l, "%s: model \"%s\" is not known: its events are shown as bytes", l->path, name);
		return;
	}
	r = &((struct tn_ovni_trace *)l->trace->own)->required[i];
	r->lowest = r->any && r->lowest < major ? r->lowest : major;
	r->highest = r->any && r->highest > major ? r->highest : major;
	r->any = true;
	sscanf(tn_ovni_models[i].version, "%u.%u", &known_major, &known_minor);
	if (major < tn_ovni_oldest(i) || major > known_major || (major == known_major && minor > known_minor))
		warn(l, "%s: model \"%s\" of version %s, the catalogue has %s: events may have other arguments", l->path,
		     name, text, tn_ovni_models[i].version);
}

static void
load_models(struct loader *l, const struct tn_json *ovni)
{
	const struct tn_json *require = tn_json_get(ovni, "require"), *lib = tn_json_get(ovni, "lib");
	const struct tn_json *finished = tn_json_get(ovni, "finished"), *version;

	l->meta->finished = is_number(finished) && cut(l, finished) == 1;
	if (!l->meta->finished)
		wrong(l, "%s: no \"ovni.finished\": the stream is incomplete, its thread crashed or still runs", l->path);
	if (!require) {
		if (l->meta->finished)	/* the tracer writes the number only at the end */
			wrong(l, "%s: no \"ovni.require\"", l->path);
	} else if (require->kind != TN_JSON_OBJECT) {
		wrong(l, "%s: \"ovni.require\" is not an object", l->path);
	} else {
		((struct tn_ovni_trace *)l->trace->own)->requires_some = true;
		for (size_t i = 0; i < require->n; i++) {
			check_required(l, require->child[i].key, &require->child[i]);
			l->meta->requires_kernel |= strcmp(require->child[i].key, "kernel") == 0;
		}
	}
	version = tn_json_get(lib, "version");
	if (!tn_json_text(version) || !tn_json_text(tn_json_get(lib, "commit")))
		wrong(l, "%s: no \"ovni.lib.version\" and \"ovni.lib.commit\"", l->path);
	if (tn_json_text(version))
		l->meta->lib_version = copy(l, tn_json_text(version));
}

/* ---- marks ---- */

/* Parse a decimal number that is the whole @text. */
static bool
parse_key(const char *text, int64_t *out)
{
	char *end;
	long long v = strtoll(text, &end, 10);

	*out = v;
	return *text && !*end && v != LLONG_MAX;
}

static void
load_labels(struct loader *l, struct tn_ovni_mark *mark, const char *type, const struct tn_json *labels)
{
	for (size_t k = 0; labels && labels->kind == TN_JSON_OBJECT && k < labels->n; k++) {
		const char *key = labels->child[k].key, *text = tn_json_text(&labels->child[k]);
		struct tn_ovni_label *label;
		int64_t value;
		size_t i;

		if (!text || !parse_key(key, &value) || mark->labels.n >= LABELS_MAX) {
			wrong(l, "%s: label \"%s\" of mark type %s is not a text for a number", l->path, key, type);
			continue;
		}
		i = tn_ovni_label_at(mark, value);
		if (i < mark->labels.n && mark->labels.item[i].value == value) {
			if (strcmp(mark->labels.item[i].text, text) != 0)
				wrong(l, "%s: mark type %s has two labels for %s: \"%s\" and \"%s\"", l->path, type, key,
				     mark->labels.item[i].text, text);
			continue;
		}
		label = TN_ARRAY_ADD(&mark->labels);
		if (!label) {
			l->failed = true;
			return;
		}
		memmove(&mark->labels.item[i + 1], &mark->labels.item[i], (mark->labels.n - 1 - i) * sizeof *label);
		mark->labels.item[i] = (struct tn_ovni_label) { value, copy(l, text) };
	}
}

static void
load_mark(struct loader *l, const char *key, const struct tn_json *def)
{
	struct tn_ovni_trace *own = l->trace->own;
	const char *title = tn_json_text(tn_json_get(def, "title"));
	const char *channel = tn_json_text(tn_json_get(def, "chan_type"));
	const struct tn_json *labels = tn_json_get(def, "labels");
	struct tn_ovni_mark *mark;
	bool is_stack;
	int64_t type;

	if (!parse_key(key, &type) || type < 0 || type >= TN_OVNI_MARKS) {
		wrong(l, "%s: mark type \"%s\" is not a number from 0 to %d", l->path, key, TN_OVNI_MARKS - 1);
		return;
	}
	is_stack = channel && strcmp(channel, "stack") == 0;
	if (!title || !channel || (!is_stack && strcmp(channel, "single") != 0)) {
		wrong(l, "%s: mark type %s needs a \"title\" and a \"chan_type\" \"single\" or \"stack\"", l->path, key);
		return;
	}
	mark = &own->mark[type];
	if (!mark->title) {
		mark->title = copy(l, title);
		mark->is_stack = is_stack;
	} else if (strcmp(mark->title, title) != 0 || mark->is_stack != is_stack) {
		wrong(l, "%s: mark type %s is already defined as \"%s\": the first definition is kept", l->path, key,
		     mark->title);
	}
	if (labels && labels->kind != TN_JSON_OBJECT)
		wrong(l, "%s: \"labels\" of mark type %s is not an object", l->path, key);
	load_labels(l, mark, key, labels);
}

static void
load_marks(struct loader *l, const struct tn_json *ovni)
{
	const struct tn_json *marks = tn_json_get(ovni, "mark");

	if (marks && marks->kind != TN_JSON_OBJECT)
		wrong(l, "%s: \"ovni.mark\" is not an object", l->path);
	else
		for (size_t i = 0; marks && i < marks->n && !l->failed; i++)
			load_mark(l, marks->child[i].key, &marks->child[i]);
}

/* Read the names of the hardware counters. All threads that define names must agree (2). */
static void
load_counters(struct loader *l, const struct tn_json *root)
{
	struct tn_ovni_trace *own = l->trace->own;
	const struct tn_json *hwc = tn_json_get(tn_json_get(root, "nosv"), "hwc");
	size_t n = hwc && hwc->kind == TN_JSON_OBJECT ? hwc->n : 0, i;
	struct tn_str names = { 0 };

	if (!hwc)
		return;
	if (n == 0 || n > COUNTERS_MAX) {
		wrong(l, "%s: \"nosv.hwc\" is not an object of 1 to %d hardware counters", l->path, COUNTERS_MAX);
		return;
	}
	for (i = 0; i < n; i++) {
		char key[24];
		const char *name;

		snprintf(key, sizeof key, "%zu", i);
		name = tn_json_text(tn_json_get(tn_json_get(hwc, key), "name"));
		if (!name) {
			wrong(l, "%s: hardware counter %zu of %zu has no \"nosv.hwc.%zu.name\"", l->path, i, n, i);
			break;
		}
		tn_str_printf(&names, "%s%s", i ? ", " : "", name);
	}
	if (i == n && !names.failed && !own->counters) {
		own->counters = copy(l, names.text);
		own->n_counters = n;
	} else if (i == n && !names.failed && strcmp(own->counters, names.text) != 0) {
		wrong(l, "%s: the hardware counters are \"%s\", not \"%s\" as before", l->path, names.text, own->counters);
	}
	l->failed |= names.failed;
	tn_str_release(&names);
}

enum tn_code
tn_ovni_load_meta(struct tn_trace *trace, struct tn_ovni_meta *meta, struct tn_error *err)
{
	struct loader l = { .trace = trace, .meta = meta };
	struct tn_json *root = NULL;
	const struct tn_json *ovni;
	enum tn_code rc;

	meta->rank = meta->n_ranks = -1;
	if ((size_t)snprintf(l.path, sizeof l.path, "%s/stream.json", meta->folder) >= sizeof l.path)
		return tn_fail(err, TN_ERR_ARGUMENT, "%s: the path is too long", meta->folder);
	rc = load_text(&l, &root, err);
	if (rc == TN_OK)
		rc = check_version(&l, root, err);
	if (rc == TN_OK) {
		ovni = tn_json_get(root, "ovni");
		if (!ovni || ovni->kind != TN_JSON_OBJECT)
			wrong(&l, "%s: no object \"ovni\": the thread of these events is unknown", l.path);
		else {
			load_thread(&l, ovni);
			load_process(&l, ovni);
			load_cpus(&l, ovni);
			load_models(&l, ovni);
			load_marks(&l, ovni);
		}
		load_counters(&l, root);
		if (l.failed)
			rc = tn_fail_memory(err);
	}
	tn_arena_release(&l.arena);
	return rc;
}
