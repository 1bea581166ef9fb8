#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/key.h"
#include "prompt.h"

void
prompt_set(struct prompt *p, const char *text)
{
	size_t n = strlen(text);

	if (n >= PROMPT_SIZE)
		n = 0;
	memcpy(p->text, text, n);
	p->text[n] = '\0';
	p->n = p->at = n;
}

void
prompt_start(struct prompt *p, const char *lead, const char *text, struct history *history)
{
	snprintf(p->lead, sizeof p->lead, "%s", lead);
	prompt_set(p, text);
	p->history = history;
	p->recalled = history ? history->n : 0;
	p->own[0] = '\0';
}

static bool
in_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t
left_of(const struct prompt *p, size_t at)
{
	if (at > 0)
		at--;
	while (at > 0 && in_character(p->text[at]))
		at--;
	return at;
}

static size_t
right_of(const struct prompt *p, size_t at)
{
	if (at < p->n)
		at++;
	while (at < p->n && in_character(p->text[at]))
		at++;
	return at;
}

static size_t
word_left(const struct prompt *p)
{
	size_t at = p->at;

	while (at > 0 && p->text[at - 1] == ' ')
		at--;
	while (at > 0 && p->text[at - 1] != ' ')
		at--;
	return at;
}

static enum prompt_result
cut(struct prompt *p, size_t from, size_t to)
{
	if (from >= to)
		return PROMPT_MORE;
	memmove(p->text + from, p->text + to, p->n - to + 1);
	p->n -= to - from;
	p->at = from;
	return PROMPT_CHANGED;
}

static enum prompt_result
insert(struct prompt *p, uint32_t key)
{
	char bytes[4];
	size_t n = key_text(key, bytes);

	if (!n)
		return PROMPT_MORE;
	if (p->n + n >= PROMPT_SIZE)
		return PROMPT_FULL;
	memmove(p->text + p->at + n, p->text + p->at, p->n - p->at + 1);
	memcpy(p->text + p->at, bytes, n);
	p->n += n;
	p->at += n;
	return PROMPT_CHANGED;
}

static enum prompt_result
recall(struct prompt *p, bool older)
{
	struct history *h = p->history;

	if (!h || (older ? p->recalled == 0 : p->recalled >= h->n))
		return PROMPT_MORE;
	if (p->recalled == h->n)
		memcpy(p->own, p->text, p->n + 1);
	p->recalled = older ? p->recalled - 1 : p->recalled + 1;
	prompt_set(p, p->recalled == h->n ? p->own : h->text[p->recalled]);
	return PROMPT_CHANGED;
}

static enum prompt_result
move(struct prompt *p, size_t to)
{
	p->at = to;
	return PROMPT_MORE;
}

enum prompt_result
prompt_key(struct prompt *p, uint32_t key)
{
	switch (key) {
	case K_ENTER:
	case K_CTRL('j'):
		return PROMPT_DONE;
	case K_ESC:
	case K_CTRL('c'):
	case K_CTRL('g'):
		return PROMPT_CANCELLED;
	case K_TAB:
		return PROMPT_COMPLETE;
	case K_BACKSPACE:
	case K_CTRL('h'):
		if (p->n == 0)
			return PROMPT_CANCELLED;
		return cut(p, left_of(p, p->at), p->at);
	case K_DELETE:
	case K_CTRL('d'):
		return cut(p, p->at, right_of(p, p->at));
	case K_CTRL('w'):
		return cut(p, word_left(p), p->at);
	case K_CTRL('u'):
		return cut(p, 0, p->at);
	case K_CTRL('k'):
		return cut(p, p->at, p->n);
	case K_LEFT:
	case K_CTRL('b'):
		return move(p, left_of(p, p->at));
	case K_RIGHT:
	case K_CTRL('f'):
		return move(p, right_of(p, p->at));
	case K_HOME:
	case K_CTRL('a'):
		return move(p, 0);
	case K_END:
	case K_CTRL('e'):
		return move(p, p->n);
	case K_UP:
	case K_CTRL('p'):
		return recall(p, true);
	case K_DOWN:
	case K_CTRL('n'):
		return recall(p, false);
	default:
		return insert(p, key);
	}
}

void
history_add(struct history *h, const char *text)
{
	char *copy;

	if (!*text)
		return;
	copy = strdup(text);
	if (!copy)
		return;
	for (size_t i = 0; i < h->n; i++)
		if (strcmp(h->text[i], text) == 0) {
			free(h->text[i]);
			memmove(&h->text[i], &h->text[i + 1], (--h->n - i) * sizeof *h->text);
			break;
		}
	if (h->n == HISTORY_SIZE) {
		free(h->text[0]);
		memmove(&h->text[0], &h->text[1], --h->n * sizeof *h->text);
	}
	h->text[h->n++] = copy;
	h->added++;
}

void
history_release(struct history *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->text[i]);
	h->n = 0;
}
