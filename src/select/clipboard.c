#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clipboard.h"
#include "term/term.h"

#define TERMINAL_MAX 700000	/* bytes; terminals accept no more in one OSC 52 */
#define SCREEN_PIECE 700	/* bytes of a string that GNU screen passes to its terminal */

static char *
base64(const char *text, size_t n)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *out = malloc((n + 2) / 3 * 4 + 1), *p = out;

	for (size_t i = 0; out && i < n; i += 3) {
		unsigned v = (unsigned)(unsigned char)text[i] << 16;

		v |= i + 1 < n ? (unsigned)(unsigned char)text[i + 1] << 8 : 0;
		v |= i + 2 < n ? (unsigned)(unsigned char)text[i + 2] : 0;
		*p++ = digit[v >> 18];
		*p++ = digit[v >> 12 & 63];
		*p++ = i + 1 < n ? digit[v >> 6 & 63] : '=';
		*p++ = i + 2 < n ? digit[v & 63] : '=';
	}
	if (out)
		*p = '\0';
	return out;
}

/* Send a sequence through tmux or GNU screen, in pieces with @begin and @end around each. */
static void
send_through(const char *begin, const char *end, size_t piece, const char *text, size_t n)
{
	for (size_t at = 0; at < n; at += piece) {
		term_send(begin, strlen(begin));
		term_send(text + at, n - at < piece ? n - at : piece);
		term_send(end, strlen(end));
	}
}

/*
 * Send OSC 52 to the terminal. tmux handles the sequence itself if its option set-clipboard is on, and passes a wrapped
 * sequence on if allow-passthrough is on, so tnav sends both. GNU screen passes on wrapped sequences that are short.
 */
static void
to_terminal(const char *code)
{
	size_t n = strlen(code);
	char *all = malloc(n + 16);

	if (!all)
		return;
	if (getenv("TMUX")) {
		sprintf(all, "\033]52;c;%s\a", code);
		term_send(all, strlen(all));
		sprintf(all, "\033\033]52;c;%s\a", code);
		send_through("\033Ptmux;", "\033\\", n + 16, all, strlen(all));
	} else {
		sprintf(all, "\033]52;c;%s\a", code);
		if (getenv("STY"))
			send_through("\033P", "\033\\", SCREEN_PIECE, all, strlen(all));
		else
			term_send(all, strlen(all));
	}
	free(all);
}

/* ---- the clipboard of the desktop, in a job because its program can be slow ---- */

struct giving {
	const char *tool;
	size_t n;
	char text[];
};

static void
give_run(struct job *job)
{
	const struct giving *g = job->data;
	FILE *f = popen(g->tool, "w");

	if (!f)
		return;
	fwrite(g->text, 1, g->n, f);
	pclose(f);
}

static const struct job_class give_class = {
	.label = N_("copying"), .quiet = true, .hidden = true, .everything = true, .run = give_run, .free = free,
};

static bool
to_desktop(struct session *s, const char *text, size_t n)
{
	const char *tool = getenv("WAYLAND_DISPLAY") ? "wl-copy 2>/dev/null"
			 : getenv("DISPLAY") ? "xclip -selection clipboard 2>/dev/null" : NULL;
	struct giving *g = tool ? malloc(sizeof *g + n) : NULL;

	if (!g)
		return false;
	g->tool = tool;
	g->n = n;
	memcpy(g->text, text, n);
	return job_start(s, &give_class, g) != NULL;
}

void
clipboard_give(struct session *s, const char *text, size_t n, uint64_t events)
{
	const char *end = memchr(text, '\n', n);
	uint64_t lines = 0;
	char number[32], size[32];
	char *code;
	bool given;

	/* Omit the line feed of a single line: a shell would run the pasted line at once. */
	if (end && end + 1 == text + n)
		n--;
	for (size_t i = 0; i < n; i++)
		lines += text[i] == '\n' || i + 1 == n;
	given = to_desktop(s, text, n);
	code = n <= TERMINAL_MAX ? base64(text, n) : NULL;
	if (code) {
		to_terminal(code);
		given = true;
	}
	free(code);
	number_text(events ? events : lines, number);
	size_text(n, size);
	if (given && !events)
		session_say(s, _("%s copied"), size);
	else if (given)
		session_say(s, ngettext("%s event, %s copied", "%s events, %s copied", events), number, size);
	else if (!events && s->answers.table && *s->answers.table)
		session_fail(s, ngettext("%s line is %s: too much for the clipboard; :w FILE writes the table",
					 "%s lines are %s: too much for the clipboard; V selects them again, :w FILE writes the "
					 "table", lines), number, size);
	else if (!events)
		session_fail(s, ngettext("%s line is %s: too much for the clipboard",
					 "%s lines are %s: too much for the clipboard: select fewer with V", lines),
			     number, size);
	else
		session_fail(s, ngettext("%s event is %s: too much for the clipboard; V selects it again, :w FILE writes it",
					 "%s events are %s: too much for the clipboard; V selects them again, :w FILE writes "
					 "them", events), number, size);
}
