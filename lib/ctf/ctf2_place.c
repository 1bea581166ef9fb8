#include "base/messages.h"
#include "ctf/ctf2_builder.h"
#include "ctf/metadata.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <unistr.h>


/* Limit of warnings for one trace. */
#define MAX_WARNINGS 100
/* The text of an error is limited, and the end of a JSON path is more useful than its beginning. */
#define MAX_PATH_TEXT 400

/* ---- places ---- */

static const struct tn_json *
fragment_of(const struct tn_json *node)
{
	while (node->parent)
		node = node->parent;
	return node;
}

/* Write the path of a value in its fragment, such as "a.b[2].c". A key that is not a plain word is quoted. */
static void
add_path(struct tn_str *s, const struct tn_json *node)
{
	bool plain = true;

	if (!node->parent)
		return;
	add_path(s, node->parent);
	if (!node->key) {
		tn_str_printf(s, "[%zu]", (size_t)node->index);
		return;
	}
	for (const char *p = node->key; *p; p++)
		plain = plain && ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
				  (*p >= '0' && *p <= '9') || *p == '-' || *p == '_');
	if (plain && node->key[0])
		tn_str_printf(s, "%s%s", s->n ? "." : "", node->key);
	else
		tn_str_printf(s, "[\"%.60s\"]", node->key);
}

static void
add_fragment(struct tn_str *s, const struct tn_json *node)
{
	const struct tn_json *root = fragment_of(node), *type;
	struct tn_str path = { 0 };
	size_t skip;

	type = root->kind == TN_JSON_OBJECT ? tn_json_get(root, "type") : NULL;
	if (type && type->kind == TN_JSON_STRING)
		tn_str_printf(s, _("fragment %zu (%.40s)"), (size_t)root->index, type->text);
	else
		tn_str_printf(s, _("fragment %zu"), (size_t)root->index);
	tn_str_puts(s, ": ");
	if (node != root) {
		add_path(&path, node);
		skip = path.n > MAX_PATH_TEXT ? path.n - MAX_PATH_TEXT : 0;
		tn_str_printf(s, "%s%s: ", skip ? "..." : "", tn_str_text(&path) + skip);
		tn_str_release(&path);
	}
}

static void
add_file(const struct tn_ctf2 *b, struct tn_str *s)
{
	tn_ctf_metadata_path(b->trace, s);
}

static void
add_place(const struct tn_ctf2 *b, struct tn_str *s, size_t at, const struct tn_json *node)
{
	size_t line, column;

	tn_json_line(b->text, at, &line, &column);
	add_file(b, s);
	tn_str_printf(s, ":%zu:%zu: ", line, column);
	if (node)
		add_fragment(s, node);
}

/* Append the use of the alias that contains @node to the message. */
static void
add_use(const struct tn_ctf2 *b, struct tn_str *s, const struct tn_json *node)
{
	struct tn_str use = { 0 };

	if (!b->use || !node || fragment_of(node) == fragment_of(b->use))
		return;
	add_fragment(&use, b->use);
	tn_str_printf(s, _(" (used by %.*s)"), use.n > 2 ? (int)(use.n - 2) : 0, tn_str_text(&use));
	tn_str_release(&use);
}

/* Names can be any text, and may have been cut. Remove control characters and invalid UTF-8 from the message. */
static void
make_safe(struct tn_str *s)
{
	size_t step;

	for (size_t i = 0; i < s->n; i += step) {
		ucs4_t c;
		int n = u8_mbtoucr(&c, (const uint8_t *)s->text + i, s->n - i);

		step = n > 0 ? (size_t)n : 1;
		if (n < 0 || c < ' ' || (c >= 0x7f && c < 0xa0))
			memset(s->text + i, '?', step);
	}
}

static bool
fail_with(struct tn_ctf2 *b, struct tn_str *s)
{
	make_safe(s);
	if (s->failed)
		tn_fail_memory(&b->error);
	else
		tn_fail(&b->error, TN_ERR_FORMAT, "%s", tn_str_text(s));
	tn_str_release(s);
	return false;
}

bool
tn_ctf2_fail(struct tn_ctf2 *b, const struct tn_json *node, const char *format, ...)
{
	struct tn_str s = { 0 };
	va_list ap;

	if (node) {
		add_place(b, &s, node->at, node);
	} else {
		add_file(b, &s);
		tn_str_puts(&s, ": ");
	}
	va_start(ap, format);
	tn_str_vprintf(&s, _(format), ap);
	va_end(ap);
	add_use(b, &s, node);
	return fail_with(b, &s);
}

bool
tn_ctf2_fail_at(struct tn_ctf2 *b, size_t at, const char *format, ...)
{
	struct tn_str s = { 0 };
	va_list ap;

	add_place(b, &s, at, NULL);
	va_start(ap, format);
	tn_str_vprintf(&s, _(format), ap);
	va_end(ap);
	return fail_with(b, &s);
}

bool
tn_ctf2_no_memory(struct tn_ctf2 *b)
{
	tn_fail_memory(&b->error);
	return false;
}

/* Whether to warn of a problem at @at: once for each place, and a limited number of times. */
static bool
may_warn(struct tn_ctf2 *b, size_t at)
{
	struct tn_str s = { 0 };
	size_t *place;

	if (b->warned.n > MAX_WARNINGS)
		return false;
	for (size_t i = 0; i < b->warned.n; i++)
		if (b->warned.item[i] == at)
			return false;
	if (!(place = TN_ARRAY_ADD(&b->warned)))
		return false;
	*place = at;
	if (b->warned.n <= MAX_WARNINGS)
		return true;
	add_file(b, &s);
	tn_tell(&b->trace->problems, TN_WARNING, "%s: more than %d warnings: the others are left out", tn_str_text(&s),
		MAX_WARNINGS);
	tn_str_release(&s);
	return false;
}

static void TN_PRINTF(5, 0)
tell_of(struct tn_ctf2 *b, enum tn_severity severity, size_t at, const struct tn_json *node, const char *format, va_list ap)
{
	struct tn_str s = { 0 };

	if (node && !may_warn(b, at))
		return;
	add_place(b, &s, at, node);
	tn_str_vprintf(&s, _(format), ap);
	make_safe(&s);
	tn_tell(&b->trace->problems, severity, "%s", tn_str_text(&s));
	tn_str_release(&s);
}

void
tn_ctf2_warn(struct tn_ctf2 *b, const struct tn_json *node, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	tell_of(b, TN_WARNING, node->at, node, format, ap);
	va_end(ap);
}

void
tn_ctf2_wrong(struct tn_ctf2 *b, const struct tn_json *node, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	tell_of(b, TN_WRONG, node->at, node, format, ap);
	va_end(ap);
}

void
tn_ctf2_wrong_at(struct tn_ctf2 *b, size_t at, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	tell_of(b, TN_WRONG, at, NULL, format, ap);
	va_end(ap);
}

void
tn_ctf2_foreign(struct tn_ctf2 *b, const struct tn_json *node, const char *instead)
{
	if (b->foreign)
		return;
	b->foreign = true;
	tn_ctf2_warn(b, node, "a property of a CTF 2 release candidate, read as %s (reported once)", instead);
}

const char *
tn_ctf2_quote(const struct tn_ctf2 *b, const struct tn_json *node, char *buf, size_t size)
{
	size_t n = node->end - node->at, cut = size - 4;
	bool whole = n < size;

	if (!whole)
		for (n = cut; n > 0 && (b->text[node->at + n] & 0xc0) == 0x80;)
			n--;
	for (size_t i = 0; i < n; i++) {
		char c = b->text[node->at + i];

		buf[i] = (unsigned char)c < ' ' || c == 0x7f ? ' ' : c;
	}
	strcpy(buf + n, whole ? "" : "...");
	return buf;
}

/* The JSON text of a value without white space. NULL: failure, and b->error is set. */
static const char *
compact(struct tn_ctf2 *b, const struct tn_json *node)
{
	char *copy = tn_ctf2_alloc(b, node->end - node->at + 1, 1), *to = copy;
	bool string = false;

	if (!copy)
		return NULL;
	memcpy(copy, b->text + node->at, node->end - node->at);
	for (const char *from = copy; *from; from++) {
		if (string && *from == '\\' && from[1]) {
			*to++ = *from++;
		} else if (*from == '"') {
			string = !string;
		} else if (!string && (unsigned char)*from <= ' ') {
			continue;
		}
		*to++ = *from;
	}
	*to = '\0';
	return copy;
}

/* ---- properties ---- */

bool
tn_ctf2_expect(struct tn_ctf2 *b, const struct tn_json *node, enum tn_json_kind kind)
{
	char buf[48];

	if (node->kind == kind)
		return true;
	return tn_ctf2_fail(b, node, "must be %s, not %s", tn_json_kind_name(kind),
			    tn_ctf2_quote(b, node, buf, sizeof buf));
}

bool
tn_ctf2_property(struct tn_ctf2 *b, const struct tn_json *object, const char *key, enum tn_json_kind kind,
		 bool required, const struct tn_json **out)
{
	*out = tn_json_get(object, key);
	if (*out)
		return tn_ctf2_expect(b, *out, kind);
	return !required || tn_ctf2_fail(b, object, "the property \"%s\" is missing", key);
}

bool
tn_ctf2_property_or(struct tn_ctf2 *b, const struct tn_json *object, const char *key, const char *old,
		    enum tn_json_kind kind, const struct tn_json **out)
{
	char instead[80];

	*out = tn_json_get(object, key);
	if (!*out && (*out = tn_json_get(object, old))) {
		snprintf(instead, sizeof instead, "\"%s\"", key);
		tn_ctf2_foreign(b, *out, instead);
	}
	return !*out || tn_ctf2_expect(b, *out, kind);
}

bool
tn_ctf2_uint(struct tn_ctf2 *b, const struct tn_json *object, const char *key, bool required, uint64_t *out)
{
	const struct tn_json *node;
	char buf[48];

	if (!tn_ctf2_property(b, object, key, TN_JSON_INTEGER, required, &node))
		return false;
	if (!node)
		return true;
	if (node->negative)
		return tn_ctf2_fail(b, node, "must not be negative: %s", tn_ctf2_quote(b, node, buf, sizeof buf));
	if (node->beyond)
		return tn_ctf2_fail(b, node, "does not fit into 64 bits: %s",
				    tn_ctf2_quote(b, node, buf, sizeof buf));
	*out = node->magnitude;
	return true;
}

bool
tn_ctf2_string(struct tn_ctf2 *b, const struct tn_json *object, const char *key, const char **out)
{
	const struct tn_json *node;

	if (!tn_ctf2_property(b, object, key, TN_JSON_STRING, false, &node))
		return false;
	return !node || (*out = tn_ctf2_copy(b, node->text));
}

void *
tn_ctf2_alloc(struct tn_ctf2 *b, size_t n, size_t size)
{
	uint64_t bytes;
	void *room;

	if (__builtin_mul_overflow(n, size, &bytes) || bytes > b->limit - b->size) {
		tn_ctf2_fail(b, NULL, "the field classes expand to more than %" PRIu64 " MiB: check for aliases inside "
			     "aliases", b->limit >> 20);
		return NULL;
	}
	b->size += bytes;
	if (!(room = tn_arena_alloc(b->arena, bytes)))
		tn_fail_memory(&b->error);
	return room;
}

char *
tn_ctf2_copy(struct tn_ctf2 *b, const char *text)
{
	size_t n = strlen(text);
	char *copy = tn_ctf2_alloc(b, n + 1, 1);

	if (copy)
		memcpy(copy, text, n);
	return copy;
}

/* ---- names ---- */

int64_t
tn_ctf2_find(const struct tn_ctf2 *b, enum tn_ctf2_space space, const void *key, size_t n)
{
	const struct tn_hash_item *item = tn_hash_find(&b->taken[space], key, n);

	return item ? (int64_t)item->value : -1;
}

bool
tn_ctf2_take(struct tn_ctf2 *b, enum tn_ctf2_space space, const void *key, size_t n, size_t index)
{
	const char *copy = tn_arena_copy(&b->keys, key, n);
	struct tn_hash_item *item = copy ? tn_hash_add(&b->taken[space], copy, n, NULL) : NULL;

	if (!item)
		return tn_ctf2_no_memory(b);
	item->value = index;
	return true;
}

/* Whether @word is in @list, a list of words with blanks between them. */
static bool
is_listed(const char *list, const char *word)
{
	size_t n = strlen(word);

	if (n == 0 || strchr(word, ' '))
		return false;
	for (const char *p = list; (p = strstr(p, word)); p += n)
		if ((p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
			return true;
	return false;
}

const struct tn_json *
tn_ctf2_attributes(const struct tn_json *object)
{
	const struct tn_json *a = tn_json_get(object, "attributes");

	return a ? a : tn_json_get(object, "user-attributes");
}

bool
tn_ctf2_key_only(const struct tn_json *object)
{
	const struct tn_json *a = tn_ctf2_attributes(object);

	a = a && a->kind == TN_JSON_OBJECT ? tn_json_get(a, "babeltrace.org,2020") : NULL;
	a = a && a->kind == TN_JSON_OBJECT ? tn_json_get(a, "is-key-only") : NULL;
	return a && a->kind == TN_JSON_BOOLEAN && a->truth;
}

/* Only extensions that the preamble declares have an effect, and these are refused there. */
static bool
check_extensions(struct tn_ctf2 *b, const struct tn_json *object)
{
	const struct tn_json *extensions;

	if (!tn_ctf2_property(b, object, "extensions", TN_JSON_OBJECT, false, &extensions))
		return false;
	for (size_t i = 0; extensions && i < extensions->n; i++) {
		const struct tn_json *space = &extensions->child[i];

		if (!tn_ctf2_expect(b, space, TN_JSON_OBJECT))
			return false;
		if (space->n)
			tn_ctf2_warn(b, space, "the extension \"%.60s\" is ignored: the preamble does not declare it",
				     space->child[0].key);
	}
	return true;
}

bool
tn_ctf2_common(struct tn_ctf2 *b, const struct tn_json *object, const char *known, const char **attributes)
{
	static const char common[] = "type attributes user-attributes extensions";
	const struct tn_json *node;
	bool preamble = !object->parent && is_listed(known, "version");

	for (size_t i = 0; i < object->n; i++) {
		const struct tn_json *c = &object->child[i];

		if (!is_listed(common, c->key) && !is_listed(known, c->key))
			tn_ctf2_warn(b, c, "unknown property, ignored");
	}
	if (!tn_ctf2_property_or(b, object, "attributes", "user-attributes", TN_JSON_OBJECT, &node))
		return false;
	if (node && attributes && !(*attributes = compact(b, node)))
		return false;
	return preamble || check_extensions(b, object);
}
