/* nicknames_list.c - the list of names while it is read */
#include "group/nicknames.h"

#include <string.h>

#define MOST_BYTES (UINT64_C(16) << 20)	/* limit of entries and texts */
#define NAME_BYTES 240			/* limit of bytes of a name */

uint32_t
tn_nicknames_host(struct tn_nicknames *k, const char *host, size_t n)
{
	char **item;

	if (!host || !n)
		return TN_NO_HOST;
	for (size_t i = 0; i < k->host.n; i++)
		if (strlen(k->host.item[i]) == n && memcmp(k->host.item[i], host, n) == 0)
			return (uint32_t)i;
	item = TN_ARRAY_ADD(&k->host);
	if (item && !(*item = strndup(host, n)))
		k->host.n--;
	k->no_memory |= !item || !*item;
	return k->no_memory ? TN_NO_HOST : (uint32_t)k->host.n - 1;
}

/* The length of a text up to its NUL. A text that is too long is cut between characters. */
static size_t
cut(const char *text, size_t n)
{
	const char *end = memchr(text, '\0', n);

	n = end ? (size_t)(end - text) : n;
	if (n <= NAME_BYTES)
		return n;
	for (n = NAME_BYTES; n && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
		;
	return n;
}

void
tn_nicknames_add(struct tn_nicknames *k, const struct tn_nickname *as, const char *text, size_t n)
{
	struct tn_nickname *item;

	n = cut(text, n);
	if ((!n && as->kind != TN_NICKNAME_OWNED) || k->is_full)
		return;
	k->is_full = k->name.n * sizeof *item + k->texts.n + n > MOST_BYTES;
	item = k->is_full ? NULL : TN_ARRAY_ADD(&k->name);
	k->no_memory |= !item && !k->is_full;
	if (!item)
		return;
	*item = *as;
	item->text = (uint32_t)k->texts.n;
	item->n = (uint32_t)n;
	tn_str_put(&k->texts, text, n);
	tn_str_put(&k->texts, "", 1);
	k->no_memory |= k->texts.failed;
}
