/* nicknames_read.c - read the names that events give to numbers, in one pass for each source */
#include "group/nicknames.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "language/attribute_field.h"
#include "model/trace.h"

static const struct { enum tn_nickname_kind kind; const char *number, *text; } contexts[] = {
#define CONTEXT(kind, number, text) { TN_NICKNAME_##kind, number, text },
#include "group/nicknames.def"
};

static const struct { enum tn_nickname_kind kind; const char *event, *number, *text; } rare[] = {
#define GIVES(kind, event, number, text) { TN_NICKNAME_##kind, event, number, text },
#define OWNER(event, number, owner) { TN_NICKNAME_OWNED, event, number, owner },
#include "group/nicknames.def"
};

static const struct { enum tn_nickname_kind kind; const char *field; } keys[] = {
#define KEY(kind, field) { TN_NICKNAME_##kind, field },
#include "group/nicknames.def"
};

static const struct { enum tn_nickname_kind kind; const char *part; } only[] = {
#define ONLY(kind, part) { TN_NICKNAME_##kind, part },
#include "group/nicknames.def"
};

static const struct { const char *event, *number, *text; } switches[] = {
#define RUNNING(event, before, before_name, after, after_name) { event, after, after_name }, { event, before, before_name },
#include "language/running.def"
};

/* ---- sources ---- */

static bool
has_member(const struct tn_event_class *ec, enum tn_scope scope, const char *name)
{
	const char *const names[] = { name, NULL };
	struct tn_target target;

	return tn_member_field(ec, scope, names, 0, &target);
}

static bool
in_context(const struct tn_event_class *ec, const char *name)
{
	return has_member(ec, TN_SCOPE_COMMON_CONTEXT, name) || has_member(ec, TN_SCOPE_SPECIFIC_CONTEXT, name);
}

/* Whether an event class of this name (NULL: any name) has both fields, in its payload or in contexts. */
static bool
exists(const struct tn_set *set, const char *event, const char *number, const char *text)
{
	for (size_t i = 0; i < set->n_traces; i++)
		for (size_t c = 0; c < set->trace[i]->n_event_classes; c++) {
			const struct tn_event_class *ec = set->trace[i]->event_class[c];

			if (!event ? in_context(ec, number) && in_context(ec, text) :
			    ec->name && strcmp(ec->name, event) == 0 && has_member(ec, TN_SCOPE_PAYLOAD, number) &&
				    has_member(ec, TN_SCOPE_PAYLOAD, text))
				return true;
		}
	return false;
}

static void
take_group(struct tn_nicknames *k, enum tn_nickname_kind kind, bool has_host, const struct tn_answer_value *v)
{
	struct tn_nickname name = { .kind = kind, .host = TN_NO_HOST };

	if (has_host && v->kind == TN_ANSWER_TEXT)
		name.host = tn_nicknames_host(k, v->text, v->n);
	v += has_host;
	if ((v[0].kind != TN_ANSWER_UINT && v[0].kind != TN_ANSWER_SINT) || v[1].kind != TN_ANSWER_TEXT)
		return;
	name.number = v[0].is.u;
	name.time_ns = v[2].kind == TN_ANSWER_UINT || v[2].kind == TN_ANSWER_SINT ? v[2].is.i : INT64_MIN;
	tn_nicknames_add(k, &name, v[1].text, v[1].n);
}

/* Read the pairs of two fields in the events that match @scan. */
static enum tn_code
read_groups(struct tn_nicknames *k, enum tn_nickname_kind kind, const char *prefix, const char *number, const char *text,
	    const struct tn_scan_options *scan, struct tn_error *err)
{
	bool has_host = tn_set_has_hosts(k->set), is_rest = false;
	const struct tn_answer_value *v;
	struct tn_groups *groups = NULL;
	struct tn_str by = { 0 };
	enum tn_code rc;

	tn_str_printf(&by, "%s%s%s, %s%s", has_host ? "host, " : "", prefix, number, prefix, text);
	rc = by.failed ? tn_fail_memory(err) : tn_groups_new(&groups, (struct tn_set *)k->set, by.text, "max(time)", err);
	tn_str_release(&by);
	if (rc == TN_OK)
		rc = tn_groups_run(groups, scan, err);
	for (size_t i = 0; rc == TN_OK && (v = tn_groups_row(groups, i, &is_rest)); i++)
		if (is_rest)
			k->is_full = true;
		else
			take_group(k, kind, has_host, v);
	tn_groups_free(groups);
	return rc;
}

static enum tn_code
read_switches(struct tn_nicknames *k, const struct tn_scan_options *options, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; i < TN_COUNT(switches) && rc == TN_OK; i++) {
		struct tn_scan_options scan = *options;
		struct tn_filter *filter = NULL;
		char condition[128];

		if (!exists(k->set, switches[i].event, switches[i].number, switches[i].text))
			continue;
		snprintf(condition, sizeof condition, "name == \"%s\"", switches[i].event);
		rc = tn_filter_new(&filter, k->set, err);
		if (rc == TN_OK)
			rc = tn_filter_add_expression(filter, condition, err);
		scan.filter = filter;
		if (rc == TN_OK)
			rc = read_groups(k, TN_NICKNAME_THREAD, "event.fields.", switches[i].number, switches[i].text, &scan, err);
		tn_filter_free(filter);
	}
	return rc;
}

struct rare {
	struct tn_nicknames *names;
	const struct tn_scan_options *asked;
};

static bool
number_in(const struct tn_event *event, const char *scope, const char *field, uint64_t *out)
{
	char path[96];
	const struct tn_value *v;
	int64_t negative;

	snprintf(path, sizeof path, "%s%s", scope, field);
	v = tn_event_find(event, path);
	if (!v)
		return false;
	if (tn_value_u64(v, out) == TN_OK)
		return true;
	*out = tn_value_i64(v, &negative) == TN_OK ? (uint64_t)negative : 0;
	return *out != 0;
}

static void
take_rare(struct tn_nicknames *k, const struct tn_event *event, size_t i, struct tn_nickname name)
{
	char path[96], period[64];
	const void *bytes;
	uint64_t ns, tid;
	size_t n;

	name.kind = rare[i].kind;
	if (!number_in(event, "event.fields.", rare[i].number, &name.number))
		return;
	if (rare[i].kind != TN_NICKNAME_OBJECT && rare[i].kind != TN_NICKNAME_OWNED)
		name.process = 0;
	if (rare[i].kind == TN_NICKNAME_VTHREAD && number_in(event, "event.fields.", "tid", &tid))
		k->is_virtual |= tid != name.number;
	if (rare[i].kind == TN_NICKNAME_OWNED) {
		if (number_in(event, "event.fields.", rare[i].text, &name.owner))
			tn_nicknames_add(k, &name, "", 0);
		return;
	}
	snprintf(path, sizeof path, "event.fields.%s", rare[i].text);
	if (number_in(event, "event.fields.", rare[i].text, &ns)) {
		n = (size_t)snprintf(period, sizeof period, ns % 1000000 ? "timer %" PRIu64 " us" : "timer %" PRIu64 " ms",
				     ns % 1000000 ? ns / 1000 : ns / 1000000);
		tn_nicknames_add(k, &name, period, n);
	} else if (tn_event_find(event, path) && tn_value_bytes(tn_event_find(event, path), &bytes, &n) == TN_OK) {
		tn_nicknames_add(k, &name, bytes, n);
	}
}

static int
on_event(void *user, const struct tn_row *row, const struct tn_event *event, const struct tn_error *why)
{
	struct rare *r = user;
	struct tn_nickname name = { .host = TN_NO_HOST, .time_ns = row->has_time ? row->time_ns : INT64_MIN };
	const char *host = row->stream ? tn_stream_host(row->stream) : NULL;

	(void)why;
	if (!event || !tn_event_name(event))
		return 0;
	if (host && tn_set_has_hosts(r->names->set))
		name.host = tn_nicknames_host(r->names, host, strlen(host));
	if (!number_in(event, "event.context.", "vpid", &name.process) &&
	    !number_in(event, "event.context.", "pid", &name.process))
		name.process = 0;
	for (size_t i = 0; i < TN_COUNT(rare); i++)
		if (strcmp(rare[i].event, tn_event_name(event)) == 0)
			take_rare(r->names, event, i, name);
	return r->names->no_memory;
}

static int
on_progress(void *user, uint64_t read, uint64_t passed, int64_t at_ns)
{
	const struct tn_scan_options *o = ((struct rare *)user)->asked;

	return o->progress ? o->progress(o->user, read, passed, at_ns) : 0;
}

static bool
on_stopped(void *user)
{
	const struct tn_scan_options *o = ((struct rare *)user)->asked;

	return o->stopped && o->stopped(o->user);
}

/* Read rare events one by one, for all kinds in one pass. */
static enum tn_code
read_rare(struct tn_nicknames *k, const struct tn_scan_options *options, struct tn_error *err)
{
	struct rare r = { k, options };
	struct tn_scan_options scan = {
		TN_SCAN_OPTIONS, .threads = options->threads, .event = on_event, .progress = on_progress, .stopped = on_stopped,
		.user = &r,
	};
	struct tn_str condition = { 0 };
	struct tn_filter *filter = NULL;
	enum tn_code rc = TN_OK;

	for (size_t i = 0; i < TN_COUNT(rare); i++)
		if (exists(k->set, rare[i].event, rare[i].number, rare[i].text))
			tn_str_printf(&condition, "%s\"%s\"", condition.n ? ", " : "name in (", rare[i].event);
	if (!condition.n)
		return condition.failed ? tn_fail_memory(err) : TN_OK;
	tn_str_puts(&condition, ")");
	rc = condition.failed ? tn_fail_memory(err) : tn_filter_new(&filter, k->set, err);
	if (rc == TN_OK)
		rc = tn_filter_add_expression(filter, condition.text, err);
	scan.filter = filter;
	if (rc == TN_OK)
		rc = tn_scan((struct tn_set *)k->set, &scan, NULL, err);
	tn_filter_free(filter);
	tn_str_release(&condition);
	return k->no_memory ? tn_fail_memory(err) : rc;
}

enum tn_code
tn_nicknames_read(struct tn_nicknames *k, const struct tn_scan_options *options, struct tn_error *err)
{
	enum tn_code rc = read_rare(k, options, err);

	if (rc == TN_OK)
		rc = read_switches(k, options, err);
	for (size_t i = 0; i < TN_COUNT(contexts) && rc == TN_OK; i++)
		if (exists(k->set, NULL, contexts[i].number, contexts[i].text))
			rc = read_groups(k, contexts[i].kind, "event.context.", contexts[i].number, contexts[i].text, options, err);
	return rc;
}

/* Whether some event class has a key of the kind, and all such classes have @part in their names. */
static bool
is_all(const struct tn_set *set, enum tn_nickname_kind kind, const char *part)
{
	bool some = false;

	for (size_t i = 0; i < set->n_traces; i++)
		for (size_t c = 0; c < set->trace[i]->n_event_classes; c++)
			for (size_t k = 0; k < TN_COUNT(keys); k++) {
				const struct tn_event_class *ec = set->trace[i]->event_class[c];

				if (keys[k].kind != kind || !has_member(ec, TN_SCOPE_PAYLOAD, keys[k].field))
					continue;
				if (!ec->name || !strstr(ec->name, part))
					return false;
				some = true;
			}
	return some;
}

bool
tn_nicknames_exist(const struct tn_set *set, enum tn_nickname_kind kind)
{
	bool is_object = kind == TN_NICKNAME_OBJECT;

	for (size_t i = 0; i < TN_COUNT(only); i++)
		if (only[i].kind == kind)
			return is_all(set, kind, only[i].part);
	for (size_t i = 0; !is_object && i < TN_COUNT(switches); i++)
		if (exists(set, switches[i].event, switches[i].number, switches[i].text))
			return true;
	for (size_t i = 0; i < TN_COUNT(rare); i++)
		if ((rare[i].kind == TN_NICKNAME_OBJECT) == is_object && rare[i].kind != TN_NICKNAME_OWNED &&
		    exists(set, rare[i].event, rare[i].number, rare[i].text))
			return true;
	for (size_t i = 0; !is_object && i < TN_COUNT(contexts); i++)
		if (exists(set, NULL, contexts[i].number, contexts[i].text))
			return true;
	return false;
}
