/* play_script.c - the lines of a script: keys in, the screen compared with the expected lines */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "play.h"

void
fail(const char *what, const char *more)
{
	if (faulty)
		return;
	dprintf(real_out, "%s:%d: %s%s\n", now->path, now->number, what, more);	/* standard output may be tnav's */
	now->failed = true;
}

bool
next_line(char line[LINE])
{
	for (;;) {
		size_t n = strcspn(now->at, "\n");

		if (!*now->at)
			return false;
		now->number++;
		if (*now->at != '|') {
			tn_str_add(&now->out, now->at, n);
			tn_str_add(&now->out, "\n", 1);
		}
		put_text(line, LINE, "%.*s", (int)n, now->at);
		now->at += n + (now->at[n] == '\n');
		if (*line && *line != '#' && *line != '|')
			return true;
	}
}

/* Compare @shown, lines, with the expected lines. */
static void
compare(const char *shown)
{
	bool same = true;
	char *at = now->at;
	const char *s = shown;

	while (*at == '|') {
		size_t n = strcspn(++at, "\n"), m = strcspn(s, "\n");

		same = same && *s && n == m && memcmp(at, s, n) == 0;
		s += m + (s[m] == '\n');
		at += n + (at[n] == '\n');
	}
	same = same && !*s;
	for (s = shown; *s; s += strcspn(s, "\n") + (s[strcspn(s, "\n")] == '\n')) {
		tn_str_printf(&now->out, "|%.*s\n", (int)strcspn(s, "\n"), s);
	}
	if (!same && !getenv("UPDATE")) {
		fail("another is shown:", "");
		if (!faulty)
			dprintf(real_out, "%s", shown);
	}
}

static void
replace(char *text, const char *what, const char *by)
{
	for (char *p = text; (p = strstr(p, what)); ) {
		size_t n = strlen(what), m = strlen(by);

		memcpy(p, by, m);
		memmove(p + m, p + n, strlen(p + n) + 1);
	}
}

/* Names of temporary folders. */
static void
steady(char *text)
{
	replace(text, home, "TRACES");
	replace(text, folder, "FOLDER");
}

void
compare_file(const char *name)
{
	char path[LINE];
	static char text[1 << 18];
	FILE *f;
	size_t n;

	put_text(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "r");
	n = f ? fread(text, 1, sizeof text - 1, f) : 0;
	text[n] = '\0';
	if (f)
		fclose(f);
	else if (!faulty)
		put_text(text, sizeof text, "(no file %s)\n", name);
	steady(text);
	compare(text);
}

void
write_line(const char *name, const char *text)
{
	char path[LINE];
	FILE *f;

	put_text(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "a");
	if (f) {
		fprintf(f, "%s\n", text);
		fclose(f);
	}
}

static void
compare_rows(int from, int to)
{
	struct tn_str all = { 0 };
	int rows = t.canvas.rows;
	char *room = malloc(LINE * 4);

	from = from < 0 ? rows + from : from - 1;
	to = to < 0 ? rows + to : to - 1;
	for (int i = from; room && i <= to; i++) {
		size_t n = i >= 0 && i < rows ? canvas_row_text(&t.canvas, i, room, LINE * 4) : 0;

		tn_str_printf(&all, "%.*s\n", (int)n, room);
	}
	while (to - from > 0 && all.n > 1 && all.text[all.n - 2] == '\n')
		all.text[--all.n] = '\0';
	if (all.text)
		steady(all.text);
	compare(tn_str_text(&all));
	tn_str_release(&all);
	free(room);
}

static void
compare_styles(int row)
{
	char text[1024], legend[1024] = "";
	unsigned known[26], n = 0;
	size_t used = 0;

	row = row < 0 ? t.canvas.rows + row : row - 1;
	for (int i = 0; i < t.canvas.cols && i < 1000 && row >= 0 && row < t.canvas.rows; i++) {
		unsigned style = t.canvas.cell[row * t.canvas.cols + i].style, k = 0;

		while (k < n && known[k] != style)
			k++;
		if (k == n && n < 26) {
			known[n++] = style;
			used += (size_t)put_text(legend + used, sizeof legend - used, " %c=%x", 'a' + (int)k, style);
		}
		text[i] = (char)('a' + k);
		text[i + 1] = '\0';
	}
	strcat(text, "\n");
	strcat(legend, "\n");
	strncat(text, legend, sizeof text - strlen(text) - 1);
	compare(text);
}

static void
compare_cursor(void)
{
	char text[64] = "hidden\n";

	if (t.canvas.cursor_row >= 0)
		put_text(text, sizeof text, "%d %d\n", t.canvas.cursor_row + 1, t.canvas.cursor_col + 1);
	compare(text);
}

static void
add_key(uint32_t key)
{
	if (t.n < LINE)
		t.key[t.n++] = key;
}

void
add_keys(const char *text)
{
	while (*text) {
		uint32_t key[KEY_SEQUENCE];
		char name[64];
		const char *bad;
		size_t n = 1, keys;

		if (*text == '<') {
			n = strcspn(text, ">") + 1;
			if (strncmp(text, "<C-", 3) == 0)
				put_text(name, sizeof name, "^%c", text[3]);
			else
				put_text(name, sizeof name, "%.*s", (int)n, text);
		} else {
			while ((text[n] & 0xc0) == 0x80)
				n++;
			put_text(name, sizeof name, "%.*s", (int)n, text);
		}
		if (*text == '^' || *text == ' ') {
			keys = 1;
			key[0] = (uint32_t)*text;
		} else {
			keys = keys_parse(key, name, &bad);
		}
		if (!keys)
			fail("no such key: ", name);
		for (size_t i = 0; i < keys; i++)
			add_key(key[i]);
		text += n;
	}
}

static void
add_mouse(const char *text)
{
	static const struct { const char *name; enum mouse_what what; } names[] = {
		{ "press", MOUSE_PRESS }, { "drag", MOUSE_DRAG }, { "release", MOUSE_RELEASE },
		{ "up", MOUSE_WHEEL_UP }, { "down", MOUSE_WHEEL_DOWN },
	};
	char name[16];
	struct mouse m = { 0 };

	if (sscanf(text, "%15s %d %d %d", name, &m.button, &m.row, &m.col) != 4) {
		fail("no mouse: ", text);
		return;
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i].name) == 0)
			m.what = names[i].what;
	t.mouse[t.n] = m;
	add_key(K_MOUSE);
}

/* Draw the screen 12 to 1 columns wide, in all its rows and in two, then as wide as it was. */
static int narrow_step, whole_rows, whole_cols;

static void
draw_narrow(void)
{
	int i = --narrow_step;

	t.cols = i ? (i - 1) % 12 + 1 : whole_cols;
	t.rows = i > 12 ? 2 : whole_rows;
	add_key(K_RESIZE);
}

bool
more_keys(void)
{
	char line[LINE];

	while (t.next == t.n) {
		char *rest;
		int a, b;

		t.next = t.n = 0;
		if (narrow_step) {
			draw_narrow();
			return true;
		}
		if (t.leaving)
			return false;
		{
			char *before = now->at;
			int number = now->number;
			size_t n = now->out.n;

			/* Steps that wait for the end leave the end to tnav. */
			if (!next_line(line) || strncmp(line, "end", 3) == 0 || strncmp(line, "run", 3) == 0 || strncmp(line, "print", 5) == 0) {
				t.leaving = true;
				if (now->at != before) {
					now->at = before;
					now->number = number;
					now->out.n = n;
					now->out.text[n] = '\0';
				}
				if (strncmp(line, "end", 3) == 0 && *before)
					return false;
				add_keys("<C-c><Esc>Q");
				return true;
			}
		}
		rest = line + strcspn(line, " ");
		if (*rest)
			*rest++ = '\0';
		if (strcmp(line, "keys") == 0) {
			add_keys(rest);
		} else if (strcmp(line, "narrow") == 0) {
			whole_rows = t.rows;
			whole_cols = t.cols;
			narrow_step = 25;
		} else if (strcmp(line, "paste") == 0) {
			for (; *rest; rest++)
				add_key((uint32_t)*rest | K_PASTED);
		} else if (strcmp(line, "flood") == 0) {
			for (long i = strtol(rest, NULL, 10); i > 0; i--)
				add_key(0x1f600 | K_PASTED);
		} else if (strcmp(line, "mouse") == 0) {
			add_mouse(rest);
		} else if (strcmp(line, "resize") == 0) {
			if (sscanf(rest, "%dx%d", &t.cols, &t.rows) == 2)
				add_key(K_RESIZE);
		} else if (strcmp(line, "hold") == 0) {
			hold_columns(!faulty);
		} else if (strcmp(line, "release") == 0) {
			hold_columns(false);
			return true;
		} else if (strcmp(line, "append") == 0) {
			char name[64];

			put_text(name, sizeof name, "%.*s", (int)strcspn(rest, " "), rest);
			write_line(name, strchr(rest, ' ') ? strchr(rest, ' ') + 1 : "");
		} else if (strcmp(line, "screen") == 0) {
			compare_rows(1, -1);
		} else if (strcmp(line, "row") == 0) {
			compare_rows(atoi(rest), atoi(rest));
		} else if (sscanf(rest, "%d %d", &a, &b) == 2 && strcmp(line, "rows") == 0) {
			compare_rows(a, b);
		} else if (strcmp(line, "styles") == 0) {
			compare_styles(atoi(rest));
		} else if (strcmp(line, "cursor") == 0) {
			compare_cursor();
		} else if (strcmp(line, "read") == 0) {
			compare_file(rest);
		} else if (strcmp(line, "sent") == 0) {
			struct tn_str safe = { 0 };

			for (size_t i = 0; i < t.sent.n; i++)
				tn_str_printf(&safe, (unsigned char)t.sent.text[i] < 32 ? "\\%03o" : "%c", (unsigned char)t.sent.text[i]);
			tn_str_add(&safe, "\n", 1);
			compare(tn_str_text(&safe));
			tn_str_release(&safe);
			t.sent.n = 0;
		} else {
			fail("no such line here: ", line);
		}
	}
	return true;
}
