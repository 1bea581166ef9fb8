/* nicknames.c - names that events give to numbers: the list, its stored form, and searches */
#include "group/nicknames.h"

#include <stdlib.h>
#include <string.h>

#include "answer/answer_cache.h"
#include "base/error.h"
#include "base/meaning.h"
#include "base/options.h"
#include "model/trace.h"

#define MOST_OWNERS 4			/* limit of steps from an object to the owner that has the name */

static const struct { enum tn_nickname_kind kind; const char *field; } keys[] = {
#define KEY(kind, field) { TN_NICKNAME_##kind, field },
#include "group/nicknames.def"
};

static const struct { enum tn_nickname_kind kind; uint64_t number; const char *text; } fixed[] = {
#define FIXED(kind, number, text) { TN_NICKNAME_##kind, number, text },
#include "group/nicknames.def"
};

/* ---- the list ---- */

static int
order(const void *a, const void *b)
{
	const struct tn_nickname *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return 0;
}

/* Sort by number; of equal numbers, the latest is first. */
static int
by_time(const void *a, const void *b)
{
	const struct tn_nickname *x = a, *y = b;
	int equal = order(a, b);

	if (equal || x->time_ns != y->time_ns)
		return equal ? equal : x->time_ns > y->time_ns ? -1 : 1;
	return x->text < y->text ? -1 : x->text > y->text;
}

static void
settle(struct tn_nicknames *k)
{
	size_t n = 0;

	if (k->name.n)
		qsort(k->name.item, k->name.n, sizeof *k->name.item, by_time);
	for (size_t i = 0; i < k->name.n; i++)
		if (!n || order(&k->name.item[n - 1], &k->name.item[i]) != 0)
			k->name.item[n++] = k->name.item[i];
	k->name.n = n;
}

/* Index of the first item that is not before @as. */
static size_t
lower(const struct tn_nicknames *k, const struct tn_nickname *as)
{
	size_t lo = 0;

	TN_BISECT(lo, k->name.n, mid, order(&k->name.item[mid], as) < 0);
	return lo;
}

static const struct tn_nickname *
exactly(const struct tn_nicknames *k, const struct tn_nickname *like, enum tn_nickname_kind kind, uint64_t number)
{
	struct tn_nickname as = *like;
	size_t i;

	as.kind = kind;
	as.number = number;
	i = lower(k, &as);
	return i < k->name.n && order(&k->name.item[i], &as) == 0 ? &k->name.item[i] : NULL;
}

static const char *
text_of(const struct tn_nicknames *k, const struct tn_nickname *name)
{
	return k->texts.text + name->text;
}

/* ---- objects and their owners ---- */

static const struct tn_nickname *
named_owner(const struct tn_nicknames *k, const struct tn_nickname *owned)
{
	for (size_t i = 0; owned && i < MOST_OWNERS; i++) {
		const struct tn_nickname *name = exactly(k, owned, TN_NICKNAME_OBJECT, owned->owner);

		if (name)
			return name;
		owned = exactly(k, owned, TN_NICKNAME_OWNED, owned->owner);
	}
	return NULL;
}

/* Make "OWNER, NAME", or one of them if the other is missing. */
static void
join_owners(struct tn_nicknames *k)
{
	struct tn_str both = { 0 };
	size_t n = k->name.n;
	bool some = false;

	for (size_t i = 0; i < n && !k->no_memory; i++) {
		struct tn_nickname owned = k->name.item[i];
		const struct tn_nickname *owner = owned.kind == TN_NICKNAME_OWNED ? named_owner(k, &owned) : NULL, *own;

		if (!owner)
			continue;
		own = exactly(k, &owned, TN_NICKNAME_OBJECT, owned.number);
		both.n = 0;
		tn_str_puts(&both, text_of(k, owner));
		if (own)
			tn_str_printf(&both, ", %s", text_of(k, own));
		k->no_memory |= both.failed;
		owned.kind = TN_NICKNAME_OBJECT;
		owned.time_ns = INT64_MAX;
		if (!both.failed)
			tn_nicknames_add(k, &owned, both.text, both.n);
		/*
		 * tn_nicknames_add() may have moved the list. The new item can be found only when the list is sorted
		 * again.
		 */
		some = true;
	}
	tn_str_release(&both);
	if (some)
		settle(k);
}

/* ---- stored ---- */

static void
keep(const struct tn_nicknames *k, struct tn_answer_cache *cache)
{
	struct tn_answer_out out = { .failed = false };

	if (!tn_answer_cache_begin(cache, &out))
		return;
	tn_answer_put_word(&out, (uint64_t)k->is_full | (uint64_t)k->is_virtual << 1);
	tn_answer_put_word(&out, k->host.n);
	for (size_t i = 0; i < k->host.n; i++)
		tn_answer_put_bytes(&out, k->host.item[i], strlen(k->host.item[i]) + 1);
	tn_answer_put_bytes(&out, k->name.item, k->name.n * sizeof *k->name.item);
	tn_answer_put_bytes(&out, k->texts.text, k->texts.n);
	tn_answer_cache_put(cache, &out);
}

/* Check the stored names, because stored files are not trusted. */
static bool
check(const struct tn_nicknames *k)
{
	if (k->texts.n && k->texts.text[k->texts.n - 1])
		return false;
	for (size_t i = 0; i < k->name.n; i++) {
		const struct tn_nickname *name = &k->name.item[i];

		if (name->kind > TN_NICKNAME_OWNED || name->text >= k->texts.n || name->n >= k->texts.n - name->text ||
		    (name->host != TN_NO_HOST && name->host >= k->host.n) || (i && order(name - 1, name) >= 0))
			return false;
	}
	return true;
}

static bool
restore(struct tn_nicknames *k, struct tn_answer_in *in)
{
	uint64_t flags = tn_answer_get_word(in);
	size_t n = tn_answer_get_count(in, 1), size;
	const void *bytes;

	k->is_full = flags & 1;
	k->is_virtual = flags & 2;
	for (size_t i = 0; i < n && !in->bad; i++) {
		const char *host = tn_answer_get_bytes(in, &size);

		if (in->bad || !size || host[size - 1] || tn_nicknames_host(k, host, size - 1) != i)
			return false;
	}
	bytes = tn_answer_get_bytes(in, &size);
	if (in->bad || size % sizeof *k->name.item || !TN_ARRAY_RESERVE(&k->name, size / sizeof *k->name.item + 1))
		return false;
	memcpy(k->name.item, bytes, size);
	k->name.n = size / sizeof *k->name.item;
	bytes = tn_answer_get_bytes(in, &size);
	if (!in->bad)
		tn_str_put(&k->texts, bytes, size);
	return !in->bad && in->at == in->end && !k->texts.failed && check(k);
}

static void
empty(struct tn_nicknames *k)
{
	for (size_t i = 0; i < k->host.n; i++)
		free(k->host.item[i]);
	TN_ARRAY_RELEASE(&k->host);
	TN_ARRAY_RELEASE(&k->name);
	TN_ARRAY_RELEASE(&k->event);
	tn_str_release(&k->descriptions);
	tn_str_release(&k->texts);
	*k = (struct tn_nicknames) { .set = k->set };
}

/* ---- descriptions of events ---- */

static int
by_event(const void *a, const void *b)
{
	const struct tn_described *x = a, *y = b;
	int sign = strcmp(x->name, y->name);

	return sign ? sign : x->text < y->text ? -1 : x->text > y->text;
}

/* Append the text without the places for values: "task {taskid} starts to run (again); ..." becomes "task starts to run". */
static void
put_short(struct tn_str *out, const char *text)
{
	size_t begin = out->n;

	for (; *text && *text != ';' && *text != '('; text++) {
		if (*text == '{' && strchr(text, '}'))
			text = strchr(text, '}');
		else if (*text != ' ' || (out->n > begin && out->text[out->n - 1] != ' '))
			tn_str_put(out, text, 1);
	}
	while (out->n > begin && out->text[out->n - 1] == ' ')
		out->n--;
	tn_str_put(out, "", 1);
}

static void
describe_events(struct tn_nicknames *k)
{
	for (size_t i = 0; i < k->set->n_traces; i++)
		for (size_t c = 0; c < k->set->trace[i]->n_event_classes; c++) {
			const struct tn_event_class *ec = k->set->trace[i]->event_class[c];
			struct tn_described *item = ec->description && ec->name ? TN_ARRAY_ADD(&k->event) : NULL;

			if (!item)
				continue;
			*item = (struct tn_described) { ec->name, k->descriptions.n };
			put_short(&k->descriptions, ec->description);
		}
	if (k->descriptions.failed)
		k->event.n = 0;
	if (k->event.n)
		qsort(k->event.item, k->event.n, sizeof *k->event.item, by_event);
}

/* ---- all ---- */

enum tn_code
tn_nicknames_new(struct tn_nicknames **out, struct tn_set *set, const struct tn_scan_options *options, struct tn_error *err)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS }, plain = { TN_SCAN_OPTIONS };
	struct tn_answer_in in = { .types = NULL };
	struct tn_answer_cache cache;
	struct tn_nicknames *k;
	enum tn_code rc;

	if (!out || !set)
		return tn_fail_null(err);
	rc = tn_options_take(&o, sizeof o, options, "tn_scan_options", err);
	if (rc < 0)
		return rc;
	k = calloc(1, sizeof *k);
	if (!k)
		return tn_fail_memory(err);
	k->set = set;
	plain.threads = o.threads;
	plain.progress = o.progress;
	plain.stopped = o.stopped;
	plain.user = o.user;
	tn_answer_cache_init(&cache, set, "nicknames", TN_MEANING_GROUPS);
	tn_answer_cache_ask(&cache, &plain);
	if (!tn_answer_cache_find(&cache, &in) || !restore(k, &in)) {
		empty(k);
		rc = tn_nicknames_read(k, &cache.options, err);
		if (rc == TN_OK) {
			settle(k);
			join_owners(k);
			rc = k->no_memory ? tn_fail_memory(err) : TN_OK;
		}
		if (rc == TN_OK)
			keep(k, &cache);
	}
	tn_answer_cache_release(&cache);
	if (rc == TN_OK)
		describe_events(k);
	for (size_t i = 0; i < TN_COUNT(fixed); i++)
		if ((!i || fixed[i].kind != fixed[i - 1].kind) && tn_nicknames_exist(set, fixed[i].kind))
			k->fixed |= 1u << fixed[i].kind;
	if (rc < 0)
		tn_nicknames_free(k);
	else
		*out = k;
	return rc < 0 ? rc : TN_OK;
}

void
tn_nicknames_free(struct tn_nicknames *k)
{
	if (k)
		empty(k);
	free(k);
}

/* Find the field in a path such as "begin.event.fields.tid|next_tid": here "tid". */
static size_t
field_of(const char **key)
{
	size_t n = strcspn(*key, "|");

	for (size_t i = 0; i < n; i++)
		if ((*key)[i] == '.') {
			*key += i + 1;
			n -= i + 1;
			i = SIZE_MAX;
		}
	return n;
}

static bool
kind_of(const char *key, enum tn_nickname_kind *out)
{
	size_t n = field_of(&key);

	for (size_t i = 0; i < TN_COUNT(keys); i++)
		if (strlen(keys[i].field) == n && memcmp(keys[i].field, key, n) == 0) {
			*out = keys[i].kind;
			return true;
		}
	return false;
}

bool
tn_nicknames_in_rows(const char *key)
{
	enum tn_nickname_kind kind;

	return key && kind_of(key, &kind) && kind != TN_NICKNAME_THREAD && kind != TN_NICKNAME_VTHREAD;
}

static const char *
description(const struct tn_nicknames *k, const char *name, size_t n)
{
	size_t lo = 0, hi = k->event.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int sign = strncmp(k->event.item[mid].name, name, n);

		if (!sign && !k->event.item[mid].name[n])
			return k->descriptions.text + k->event.item[mid].text;
		if (sign < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

bool
tn_nicknames_of(const struct tn_set *set, const char *key)
{
	enum tn_nickname_kind kind;

	if (!set || !key)
		return false;
	if (strcmp(key, "name") == 0) {
		for (size_t i = 0; i < set->n_traces; i++)
			for (size_t c = 0; c < set->trace[i]->n_event_classes; c++)
				if (set->trace[i]->event_class[c]->description)
					return true;
		return false;
	}
	if (!kind_of(key, &kind))
		return false;
	return tn_nicknames_exist(set, kind);
}

static const char *
last_colon(const char *text, size_t n)
{
	while (n && text[n - 1] != ':')
		n--;
	return n ? text + n - 1 : NULL;
}

/* Get the number in "HOST:403", as in lanes of several hosts; *host is the number of the host. */
static bool
number_of(const struct tn_nicknames *k, const struct tn_answer_value *v, uint32_t *host, uint64_t *out)
{
	const char *colon, *text = v->text;
	char digits[24], *end;
	size_t n = v->n;

	if (v->kind == TN_ANSWER_UINT || v->kind == TN_ANSWER_SINT) {
		*out = v->is.u;
		return true;
	}
	colon = v->kind == TN_ANSWER_TEXT ? last_colon(text, n) : NULL;
	for (uint32_t i = 0; k && colon && i < k->host.n; i++)
		if (strlen(k->host.item[i]) == (size_t)(colon - text) && memcmp(k->host.item[i], text, (size_t)(colon - text)) == 0)
			*host = i;
	n -= colon ? (size_t)(colon + 1 - text) : 0;
	text = colon ? colon + 1 : text;
	if (v->kind != TN_ANSWER_TEXT || !n || n >= sizeof digits || (colon && *host == TN_NO_HOST))
		return false;
	memcpy(digits, text, n);
	digits[n] = '\0';
	*out = strtoull(digits, &end, 0);
	return !*end && *digits >= '0' && *digits <= '9';
}

/* The name on which all hosts (or the given one) and all processes agree. */
static const char *
find(const struct tn_nicknames *k, enum tn_nickname_kind kind, uint32_t host, uint64_t number)
{
	const struct tn_nickname as = { .kind = kind, .number = number };
	const char *found = NULL;

	for (size_t i = lower(k, &as); i < k->name.n; i++) {
		const struct tn_nickname *name = &k->name.item[i];

		if (name->kind != as.kind || name->number != number)
			break;
		if (host != TN_NO_HOST && name->host != host && name->host != TN_NO_HOST)
			continue;
		if (found && strcmp(found, text_of(k, name)) != 0)
			return NULL;
		found = text_of(k, name);
	}
	return found;
}

const char *
tn_nicknames_find(const struct tn_nicknames *k, const char *key, const char *host, const struct tn_answer_value *value)
{
	uint32_t of = TN_NO_HOST;
	const char *found;
	enum tn_nickname_kind kind;
	uint64_t number;

	if (!key || !value)
		return NULL;
	if (strcmp(key, "name") == 0)
		return k && value->kind == TN_ANSWER_TEXT ? description(k, value->text, value->n) : NULL;
	for (uint32_t i = 0; k && host && i < k->host.n; i++)
		if (strcmp(k->host.item[i], host) == 0)
			of = i;
	if (!kind_of(key, &kind) || !number_of(k, value, &of, &number))
		return NULL;
	for (size_t i = 0; i < TN_COUNT(fixed); i++)
		if (fixed[i].kind == kind && fixed[i].number == number && (!k || (k->fixed >> kind & 1)))
			return value->type && value->type->mapping ? NULL : fixed[i].text;	/* already shown as a label */
	if (!k)
		return NULL;
	found = find(k, kind, of, number);
	/* If a trace has no containers, a thread has the same number in all namespaces. */
	if (!found && !k->is_virtual && (kind == TN_NICKNAME_THREAD || kind == TN_NICKNAME_VTHREAD))
		found = find(k, kind == TN_NICKNAME_THREAD ? TN_NICKNAME_VTHREAD : TN_NICKNAME_THREAD, of, number);
	/* Each processor has a thread 0, whose name includes the number of the processor. */
	return found && !number && kind != TN_NICKNAME_OBJECT && strncmp(found, "swapper/", 8) == 0 ? "swapper" : found;
}
