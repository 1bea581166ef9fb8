/*
 * metadata.c - stream.json (2) and the marks it defines (9)
 *
 * Only what makes a stream unreadable is an error; what breaks other rules is told, and the events are
 * shown (10).
 */
#include "ovni/private.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/str.h"

#define JSON_MAX (UINT64_C(64) << 20)	/* bytes of a stream.json */
#define LOOM_MAX 512
#define CPUS_MAX 65536
#define COUNTERS_MAX 100
#define LABELS_MAX 65536	/* of a mark type */

struct loader {
	struct tn_trace *trace;
	struct tn_ovni_meta *meta;
	char path[4096];	/* of the stream.json */
	bool failed;		/* memory */
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

/*
 * Comments become blanks, so that lines and columns of messages stay: the writers' own reader takes
 * both forms of C.
 */
static void
blank_comments(char *text, size_t n)
{
	bool in_string = false;

	for (size_t i = 0; i < n; i++) {
		bool line;

		if (in_string) {
			if (text[i] == '\\')
				i++;	/* whatever it escapes */
			else
				in_string = text[i] != '"';
			continue;
		}
		in_string = text[i] == '"';
		if (text[i] != '/' || i + 1 >= n || (text[i + 1] != '/' && text[i + 1] != '*'))
			continue;
		line = text[i + 1] == '/';
		text[i] = text[i + 1] = ' ';
		for (i += 2; i < n; i++) {
			if (line ? text[i] == '\n' : text[i] == '*' && i + 1 < n && text[i + 1] == '/')
				break;
			if (text[i] != '\n')
				text[i] = ' ';
		}
		if (!line && i + 1 < n)
			text[i] = text[i + 1] = ' ';
	}
}

static enum tn_code
parse_text(struct loader *l, json_t **out, struct tn_error *err)
{
	char *text = malloc(l->meta->text_size + 1);
	json_error_t why;

	if (!text)
		return tn_fail_memory(err);
	memcpy(text, l->meta->text, l->meta->text_size);
	text[l->meta->text_size] = '\0';
	blank_comments(text, l->meta->text_size);
	*out = json_loadb(text, l->meta->text_size, JSON_DECODE_ANY, &why);
	free(text);
	if (!*out)
		return tn_fail(err, TN_ERR_FORMAT, "%s:%d:%d: no valid JSON: %s", l->path, why.line, why.column, why.text);
	return TN_OK;
}

static enum tn_code
load_text(struct loader *l, json_t **out, struct tn_error *err)
{
	struct tn_map map;
	enum tn_code rc = tn_map_open(&map, l->path, err);

	if (rc < 0)
		return rc;
	if (map.size > JSON_MAX) {
		rc = tn_fail(err, TN_ERR_FORMAT, "%s: %zu bytes are too many for a stream.json", l->path, map.size);
	} else {
		l->meta->text = tn_arena_copy(&l->trace->arena, map.data ? (const char *)map.data : "", map.size);
		l->meta->text_size = map.size;
		rc = l->meta->text ? parse_text(l, out, err) : tn_fail_memory(err);
	}
	tn_map_release(&map);
	return rc;
}

/* Numbers are doubles, cut when an integer is wanted (2). */
static int64_t
cut(const json_t *v)
{
	double d = json_number_value(v);

	if (json_is_integer(v))
		return json_integer_value(v);
	return d >= 9.2e18 ? INT64_MAX : d <= -9.2e18 ? INT64_MIN : (int64_t)d;
}

static enum tn_code
check_version(struct loader *l, const json_t *root, struct tn_error *err)
{
	const json_t *version;

	if (!json_is_object(root))
		return tn_fail(err, TN_ERR_FORMAT, "%s: not a JSON object", l->path);
	version = json_object_get(root, "version");
	if (!version)
		return tn_fail(err, TN_ERR_FORMAT, "%s: no \"version\"", l->path);
	if (!json_is_number(version))
		return tn_fail(err, TN_ERR_FORMAT, "%s: \"version\" is not a number", l->path);
	if (cut(version) != 3)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: \"version\" is %" PRId64 ", only 3 can be read", l->path,
			       cut(version));
	return TN_OK;
}

/* A number that is an int for the writers; @def when it is not there or nothing of the kind. */
static int64_t
get_number(struct loader *l, const json_t *object, const char *key, int64_t def)
{
	const json_t *v = json_object_get(object, key);
	int64_t n;

	if (!v)
		return def;
	n = json_is_number(v) ? cut(v) : 0;
	if (!json_is_number(v) || n > INT_MAX || n < INT_MIN) {
		wrong(l, "%s: \"ovni.%s\" is not a number of 32 bits", l->path, key);
		return def;
	}
	return n;
}

static const char *
get_text(struct loader *l, const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);

	if (!v)
		return NULL;
	if (!json_is_string(v)) {
		wrong(l, "%s: \"ovni.%s\" is not a string", l->path, key);
		return NULL;
	}
	return copy(l, json_string_value(v));
}

static void
load_thread(struct loader *l, const json_t *ovni)
{
	struct tn_ovni_meta *m = l->meta;

	m->part = get_text(l, ovni, "part");
	if (!m->part)
		wrong(l, "%s: no \"ovni.part\": taken for a thread", l->path);
	else if (strcmp(m->part, "thread") != 0)
		warn(l, "%s: \"ovni.part\" is \"%s\", only \"thread\" is known: its events are shown all the same",
		     l->path, m->part);
	m->tid = get_number(l, ovni, "tid", 0);
	m->pid = get_number(l, ovni, "pid", 0);
	if (!m->tid)
		wrong(l, "%s: no \"ovni.tid\" other than 0", l->path);
	if (!m->pid)
		wrong(l, "%s: no \"ovni.pid\" other than 0", l->path);
	m->loom = get_text(l, ovni, "loom");
	if (!m->loom || !*m->loom)
		wrong(l, "%s: no \"ovni.loom\"", l->path);
	else if (strchr(m->loom, '/'))
		wrong(l, "%s: the name \"%s\" in \"ovni.loom\" has a '/'", l->path, m->loom);
	else if (strlen(m->loom) >= LOOM_MAX)
		wrong(l, "%s: the name in \"ovni.loom\" has %zu bytes, %d are the most", l->path, strlen(m->loom),
		     LOOM_MAX - 1);
}

static void
load_process(struct loader *l, const json_t *ovni)
{
	struct tn_ovni_meta *m = l->meta;
	bool has_rank = json_object_get(ovni, "rank"), has_n = json_object_get(ovni, "nranks");

	m->app_id = get_number(l, ovni, "app_id", 0);
	if (json_object_get(ovni, "app_id") && m->app_id <= 0)
		wrong(l, "%s: \"ovni.app_id\" is not above 0", l->path);
	m->rank = get_number(l, ovni, "rank", -1);
	m->n_ranks = get_number(l, ovni, "nranks", -1);
	if (has_rank != has_n)
		wrong(l, "%s: \"ovni.rank\" and \"ovni.nranks\" are there only together", l->path);
	else if (has_rank && (m->rank < 0 || m->rank >= m->n_ranks))
		wrong(l, "%s: rank %" PRId64 " of %" PRId64, l->path, m->rank, m->n_ranks);
}

static void
load_cpus(struct loader *l, const json_t *ovni)
{
	const json_t *list = json_object_get(ovni, "loom_cpus");
	size_t n = json_array_size(list);

	if (!list)
		return;
	if (!json_is_array(list) || !n) {
		wrong(l, "%s: \"ovni.loom_cpus\" is not an array of CPUs", l->path);
		return;
	}
	if (n > CPUS_MAX) {
		warn(l, "%s: %zu CPUs, only %d are looked at", l->path, n, CPUS_MAX);
		n = CPUS_MAX;
	}
	l->meta->cpu = TN_NEW_ARRAY(&l->trace->arena, n, struct tn_ovni_cpu);
	if (!l->meta->cpu) {
		l->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const json_t *cpu = json_array_get(list, i), *index = json_object_get(cpu, "index");
		const json_t *phyid = json_object_get(cpu, "phyid");

		if (!json_is_number(index) || !json_is_number(phyid) || cut(index) < 0 || cut(phyid) < 0) {
			wrong(l, "%s: CPU %zu of \"ovni.loom_cpus\" has no \"index\" and \"phyid\" of 0 or more", l->path, i);
			continue;
		}
		l->meta->cpu[l->meta->n_cpus++] = (struct tn_ovni_cpu) { cut(index), cut(phyid) };
	}
}

/* Major versions are equal, the minor one is not newer than ours (2). */
static void
check_required(struct loader *l, const char *name, const json_t *version)
{
	const char *text = json_string_value(version);
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
load_models(struct loader *l, const json_t *ovni)
{
	const json_t *require = json_object_get(ovni, "require"), *lib = json_object_get(ovni, "lib");
	const json_t *finished = json_object_get(ovni, "finished"), *version;
	const char *name;
	void *at;

	l->meta->finished = json_is_number(finished) && cut(finished) == 1;
	if (!l->meta->finished)
		wrong(l, "%s: no \"ovni.finished\": the stream is incomplete, its thread crashed or still runs", l->path);
	if (!require) {
		if (l->meta->finished)	/* else it is not written yet */
			wrong(l, "%s: no \"ovni.require\"", l->path);
	} else if (!json_is_object(require)) {
		wrong(l, "%s: \"ovni.require\" is not an object", l->path);
	} else {
		((struct tn_ovni_trace *)l->trace->own)->requires_some = true;
		for (at = json_object_iter((json_t *)require); at; at = json_object_iter_next((json_t *)require, at)) {
			name = json_object_iter_key(at);
			check_required(l, name, json_object_iter_value(at));
			l->meta->requires_kernel |= strcmp(name, "kernel") == 0;
		}
	}
	version = json_object_get(lib, "version");
	if (!json_is_string(version) || !json_is_string(json_object_get(lib, "commit")))
		wrong(l, "%s: no \"ovni.lib.version\" and \"ovni.lib.commit\"", l->path);
	if (json_is_string(version))
		l->meta->lib_version = copy(l, json_string_value(version));
}

/* ---- marks ---- */

/* A decimal number that is all of @text. */
static bool
parse_key(const char *text, int64_t *out)
{
	char *end;
	long long v = strtoll(text, &end, 10);

	*out = v;
	return *text && !*end && v != LLONG_MAX;
}

static void
load_labels(struct loader *l, struct tn_ovni_mark *mark, const char *type, const json_t *labels)
{
	for (void *at = json_object_iter((json_t *)labels); at; at = json_object_iter_next((json_t *)labels, at)) {
		const char *key = json_object_iter_key(at), *text = json_string_value(json_object_iter_value(at));
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
load_mark(struct loader *l, const char *key, const json_t *def)
{
	struct tn_ovni_trace *own = l->trace->own;
	const char *title = json_string_value(json_object_get(def, "title"));
	const char *channel = json_string_value(json_object_get(def, "chan_type"));
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
		wrong(l, "%s: mark type %s is defined in another way than before, as \"%s\": left as it was", l->path, key,
		     mark->title);
	}
	if (json_object_get(def, "labels") && !json_is_object(json_object_get(def, "labels")))
		wrong(l, "%s: \"labels\" of mark type %s is not an object", l->path, key);
	load_labels(l, mark, key, json_object_get(def, "labels"));
}

static void
load_marks(struct loader *l, const json_t *ovni)
{
	json_t *marks = json_object_get(ovni, "mark");

	if (marks && !json_is_object(marks))
		wrong(l, "%s: \"ovni.mark\" is not an object", l->path);
	for (void *at = json_object_iter(marks); at && !l->failed; at = json_object_iter_next(marks, at))
		load_mark(l, json_object_iter_key(at), json_object_iter_value(at));
}

/* Names of hardware counters: all threads that define them must say the same (2). */
static void
load_counters(struct loader *l, const json_t *root)
{
	struct tn_ovni_trace *own = l->trace->own;
	const json_t *hwc = json_object_get(json_object_get(root, "nosv"), "hwc");
	size_t n = json_object_size(hwc), i;
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
		name = json_string_value(json_object_get(json_object_get(hwc, key), "name"));
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
	json_t *root = NULL;
	const json_t *ovni;
	enum tn_code rc;

	meta->rank = meta->n_ranks = -1;
	if ((size_t)snprintf(l.path, sizeof l.path, "%s/stream.json", meta->folder) >= sizeof l.path)
		return tn_fail(err, TN_ERR_ARGUMENT, "%s: the path is too long", meta->folder);
	rc = load_text(&l, &root, err);
	if (rc == TN_OK)
		rc = check_version(&l, root, err);
	if (rc == TN_OK) {
		ovni = json_object_get(root, "ovni");
		if (!json_is_object(ovni))
			wrong(&l, "%s: no object \"ovni\": nothing says whose events these are", l.path);
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
	json_decref(root);
	return rc;
}
