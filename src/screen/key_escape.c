#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "key_escape.h"

/* The key of a sequence such as "CSI 1 ; 5 B", given by its last character. */
static uint32_t
key_of_letter(char c)
{
	switch (c) {
	case 'A': return K_UP;
	case 'B': return K_DOWN;
	case 'C': return K_RIGHT;
	case 'D': return K_LEFT;
	case 'H': return K_HOME;
	case 'F': return K_END;
	case 'Z': return K_BACKTAB;
	case 'P': return K_F1;
	case 'Q': return K_F2;
	case 'R': return K_F3;
	case 'S': return K_F4;
	case 'M': return K_ENTER;	/* Enter of the number pad: SS3 M */
	default: return K_NONE;
	}
}

/* The key of a sequence such as "CSI 5 ~". */
static uint32_t
key_of_number(long n)
{
	static const uint32_t keys[] = {
		[1] = K_HOME, [2] = K_INSERT, [3] = K_DELETE, [4] = K_END, [5] = K_PGUP, [6] = K_PGDN, [7] = K_HOME,
		[8] = K_END, [11] = K_F1, [12] = K_F2, [13] = K_F3, [14] = K_F4, [15] = K_F5, [17] = K_F6, [18] = K_F7,
		[19] = K_F8, [20] = K_F9, [21] = K_F10, [23] = K_F11, [24] = K_F12,
		[200] = K_PASTE_BEGIN, [201] = K_PASTE_END,
	};

	return n > 0 && (size_t)n < sizeof keys / sizeof *keys ? keys[n] : K_NONE;
}

/* Read a mouse report "CSI < button ; column ; row M"; it ends with m if the button is released. */
static uint32_t
read_mouse(struct escape *e)
{
	char *end;
	long button = strtol(e->text + 2, &end, 10), col, row;

	if (*end != ';')
		return K_NONE;
	col = strtol(end + 1, &end, 10);
	if (*end != ';')
		return K_NONE;
	row = strtol(end + 1, &end, 10);
	if ((*end != 'M' && *end != 'm') || end[1] || col < 1 || row < 1 || col > 10000 || row > 10000)
		return K_NONE;
	e->mouse = (struct mouse) {
		.what = button & 64 ? (button & 1 ? MOUSE_WHEEL_DOWN : MOUSE_WHEEL_UP) : *end == 'm' ? MOUSE_RELEASE
			: button & 32 ? MOUSE_DRAG : MOUSE_PRESS,
		.button = (int)(button & 3), .row = (int)row - 1, .col = (int)col - 1,
	};
	return K_MOUSE;
}

static enum escape_end
whole(struct escape *e, uint32_t *key)
{
	char last = e->text[e->n - 1];

	e->text[e->n] = '\0';
	if (e->text[1] == '<')
		*key = read_mouse(e);
	else if (last == '~')
		*key = key_of_number(strtol(e->text + 1, NULL, 10));
	else if (e->n > 1 && e->text[1] == '[')	/* the Linux console sends CSI [ A for F1 */
		*key = last >= 'A' && last <= 'E' ? K_F1 + (uint32_t)(last - 'A') : K_NONE;
	else
		*key = key_of_letter(last);
	return *key == K_NONE ? ESCAPE_NOTHING : ESCAPE_KEY;
}

/* Skip a string for the terminal up to its end, BEL or ESC \, because it is not input. */
static enum escape_end
add_to_string(struct escape *e, uint32_t c)
{
	bool ends = c == 7 || (c == '\\' && e->n == 2);

	e->n = c == K_ESC ? 2 : 1;
	return ends ? ESCAPE_NOTHING : ESCAPE_MORE;
}

enum escape_end
escape_add(struct escape *e, uint32_t c, uint32_t *key)
{
	char kind = e->n ? e->text[0] : '\0';

	if (!e->n) {
		if (c < ' ' || c == K_BACKSPACE || c == 0x7f)
			return ESCAPE_TWO;
		e->text[e->n++] = (char)(c < 0x7f ? c : 0);
		if (c < 0x7f && strchr("[O]P_^", (int)c))
			return ESCAPE_MORE;
		*key = c | K_ALT;
		return ESCAPE_KEY;
	}
	if (kind == ']' || kind == 'P' || kind == '_' || kind == '^')
		return add_to_string(e, c);
	if (e->skip)
		return --e->skip ? ESCAPE_MORE : ESCAPE_NOTHING;
	if (c < ' ' || c > '~')	/* the sequence is invalid */
		return ESCAPE_NOTHING;
	if (e->n + 1 < ESCAPE_BYTES)
		e->text[e->n++] = (char)c;
	if (kind == 'O')
		return c >= '@' ? whole(e, key) : ESCAPE_MORE;
	if (e->n == 2 && c == 'M') {	/* an old mouse report, with three more characters */
		e->skip = 3;
		return ESCAPE_MORE;
	}
	if (c < '@' || (c == '[' && e->n == 2))
		return ESCAPE_MORE;
	return whole(e, key);
}

enum escape_end
escape_over(const struct escape *e, uint32_t *key)
{
	if (!e->n)
		*key = K_ESC;
	else if (e->n == 1)	/* such as Alt-[ */
		*key = (uint32_t)e->text[0] | K_ALT;
	else
		return ESCAPE_NOTHING;
	return ESCAPE_KEY;
}
