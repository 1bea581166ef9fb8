#include <config.h>

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <unistr.h>
#include <wchar.h>

#include "screen/canvas.h"
#include "gettext.h"
#include "screen/key_escape.h"
#include "screen/key.h"
#include "palette.h"
#include "term.h"

/* curses.h and term.h define macros with these names. */
#undef lines
#undef columns

static SCREEN *screen;
static FILE *input;		/* source of keys: standard input, or the terminal itself */
static int wake[2] = { -1, -1 };
static volatile sig_atomic_t leaving;	/* number of the signal that asked tnav to leave */
static bool ascii;	/* the terminal can only show ASCII */
static struct canvas drawn;	/* last drawn content; unchanged rows are not passed to curses */
static uint32_t pushed;		/* key that was read after an Escape */

/* ---- restore the terminal when a signal ends the program ---- */

static struct termios before;	/* modes of the terminal before the start */
static bool has_before;
static char restore[256];	/* bytes that restore the screen */
static size_t restore_size;
static volatile sig_atomic_t starting;	/* ncurses is starting */
static volatile sig_atomic_t drawing;	/* ncurses is drawing */
static const char *start_failed, *draw_failed;	/* messages if ncurses crashes then */

/* The former handler runs afterwards; with --record it writes the records. */
static const int fatal[] = { SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGSYS, SIGXCPU };
static struct sigaction former_fatal[sizeof fatal / sizeof *fatal];

/*
 * Restore the terminal after a crash. If its own allocation fails, ncurses 6.4 uses NULL, or memory after a buffer that
 * is too small.
 */
static void
on_fatal(int signal_number)
{
	const struct sigaction *former = NULL;

	if (restore_size) {
		ssize_t rc = write(STDOUT_FILENO, restore, restore_size);

		(void)rc;
	}
	if (has_before)
		tcsetattr(input ? fileno(input) : STDIN_FILENO, TCSANOW, &before);
	if (starting || drawing) {
		const char *text = starting ? start_failed : draw_failed;
		ssize_t rc = write(STDERR_FILENO, text, strlen(text));

		(void)rc;
	}
	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		if (fatal[i] == signal_number)
			former = &former_fatal[i];
	if (starting || (drawing && signal_number == SIGSEGV && former && former->sa_handler == SIG_DFL))
		_exit(1);
	signal(signal_number, SIG_DFL);
	if (former)
		sigaction(signal_number, former, NULL);
	raise(signal_number);
}

static void
on_leave(int signal_number)
{
	leaving = signal_number;
	term_wake();
}

static bool wants_mouse;

/* Reports of presses, drags and the wheel, in the form without a limit of columns. */
#define MOUSE_ON "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l"

#define PASTE_MARKS_ON "\033[?2004h"
#define PASTE_MARKS_OFF "\033[?2004l"

static void
add_restore_text(const char *text)
{
	size_t n = strlen(text);

	if (restore_size + n > sizeof restore)
		return;
	memcpy(restore + restore_size, text, n);
	restore_size += n;
}

/* Add a terminfo string by its variable, because a search by name would allocate memory. */
static void
add_restore(const char *text)
{
	if (text && text != (char *)-1)
		add_restore_text(text);
}

static void
catch_signals(void)
{
	static const int polite[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };
	struct sigaction action = { .sa_handler = on_fatal, .sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK };

	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		sigaction(fatal[i], &action, &former_fatal[i]);
	action = (struct sigaction) { .sa_handler = on_leave };
	for (size_t i = 0; i < sizeof polite / sizeof *polite; i++)
		sigaction(polite[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* ---- styles ---- */

static bool has_started, has_styles;	/* curses knows the colours */
static int colors;		/* 0, 8 or 256 */
static enum background shade;	/* background for which the colours are */

/* Pairs of colours that were made, each only once, since a terminal with 8 colours has few. */
static struct { short front, behind; } made[256];
static short n_made;

static short
pair_of(short front, short behind)
{
	short limit = COLOR_PAIRS - 1 < 255 ? (short)(COLOR_PAIRS - 1) : 255;

	if (front < 0 && behind < 0)
		return 0;
	for (short i = 0; i < n_made; i++)
		if (made[i].front == front && made[i].behind == behind)
			return (short)(i + 1);
	if (n_made >= limit || init_pair((short)(n_made + 1), front, behind) != OK)
		return -1;
	made[n_made].front = front;
	made[n_made].behind = behind;
	return ++n_made;
}

static void
make_styles(bool color, enum background background)
{
	shade = background == BACKGROUND_AUTO ? palette_told() : background;
	if (color && !has_started)
		has_started = has_colors() && start_color() == OK && use_default_colors() == OK;
	colors = !color || !has_started ? 0 : COLORS >= 256 ? 256 : 8;
	n_made = 0;
}

int
term_color_count(void)
{
	return colors;
}

void
term_colors(bool color, enum background background)
{
	static bool former_color;
	static enum background former;

	if (color == former_color && background == former && has_styles)
		return;
	has_styles = true;
	former_color = color;
	former = background;
	make_styles(color, background);
	term_redraw();
}

static void
resolve(unsigned style, attr_t *attributes, short *pair)
{
	struct look l = palette_look(style, shade, colors);

	*pair = pair_of(l.text, l.behind);
	if (*pair < 0 && style & (STYLE_MATCH | STYLE_FOCUS)) {	/* no pairs are left: use bold or reverse instead */
		l = palette_look(style, shade, 0);
		*pair = 0;
	} else if (*pair < 0) {
		*pair = pair_of(l.text, -1);
	}
	*pair = *pair > 0 ? *pair : 0;
	*attributes = (l.bold ? A_BOLD : A_NORMAL) | (l.underline ? A_UNDERLINE : A_NORMAL) | (l.reverse ? A_REVERSE : A_NORMAL);
}

/* ---- start and stop ---- */

static void
take_modes(void)
{
	raw();
	noecho();
	nonl();
	keypad(stdscr, FALSE);	/* tnav reads sequences by their grammar: screen/key_escape.h */
	nodelay(stdscr, TRUE);
	meta(stdscr, TRUE);
	set_escdelay(25);
}

static bool
make_wake_pipe(void)
{
	if (wake[0] >= 0)
		return true;
	if (pipe(wake) < 0)
		return false;
	for (int i = 0; i < 2; i++) {
		fcntl(wake[i], F_SETFL, O_NONBLOCK);
		fcntl(wake[i], F_SETFD, FD_CLOEXEC);
	}
	return true;
}

/* Request marks around pasted text, and mouse events if the mouse is on. */
static void
ask_for_marks(bool on)
{
	const char *text = on ? PASTE_MARKS_ON : PASTE_MARKS_OFF, *mouse_text = on ? MOUSE_ON : MOUSE_OFF;

	term_send(text, strlen(text));
	if (wants_mouse)
		term_send(mouse_text, strlen(mouse_text));
}

/* Restore the terminal at exit: if memory is out, ncurses may end the program before its start is complete. */
static void
give_back(void)
{
	ssize_t rc = starting ? write(STDOUT_FILENO, restore, restore_size) : 0;

	(void)rc;
	if (starting && has_before)
		tcsetattr(fileno(input), TCSANOW, &before);
	term_stop();
}

/* Whether the terminal behaves like xterm; other hosts often lack the terminfo entry with its name. */
static bool
is_like_xterm(const char *term)
{
	static const char *const names[] = { "kitty", "alacritty", "foot", "ghostty", "wezterm" };

	if (strncmp(term, "xterm-", 6) == 0)
		term += 6;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(term, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static bool
take_xterm(const char *term, char *why, size_t size)
{
	int code;

	if (!term || !is_like_xterm(term) || setupterm("xterm-256color", STDOUT_FILENO, &code) != OK)
		return false;
	snprintf(why, size, _("the terminal type '%s' is not known here (TERM): xterm-256color is used"), term);
	setenv("TERM", "xterm-256color", 1);
	return true;
}

/*
 * Find the bytes that restore the terminal, before anything is sent to the terminal. False, with the reason: the terminal
 * cannot be used.
 */
static bool
look_at_terminal(char *why, size_t size)
{
	const char *term = getenv("TERM");
	int code;

	errno = 0;
	*why = '\0';
	if (setupterm(NULL, STDOUT_FILENO, &code) != OK && !take_xterm(term, why, size)) {
		if (errno == ENOMEM)
			snprintf(why, size, "%s", _("out of memory"));
		else
			snprintf(why, size, _("the terminal type '%s' is not known here (TERM): use --print"), term ? term : "");
		return false;
	}
	restore_size = 0;
	add_restore_text(PASTE_MARKS_OFF MOUSE_OFF);
	add_restore(exit_attribute_mode);
	add_restore(cursor_normal);
	add_restore(keypad_local);
	add_restore(exit_ca_mode);
	if (cursor_address) {
		del_curterm(cur_term);	/* newterm() makes another one */
		return true;
	}
	snprintf(why, size, _("the terminal type '%s' cannot move its cursor (TERM): use --print"), term ? term : "");
	del_curterm(cur_term);
	return false;
}

bool
term_start(bool color, enum background background, char *why, size_t size)
{
	input = isatty(STDIN_FILENO) ? stdin : fopen("/dev/tty", "re");
	if (!input || !isatty(STDOUT_FILENO)) {
		snprintf(why, size, "%s", _("no terminal to browse in: use --print"));
		return false;
	}
	if (!make_wake_pipe()) {
		snprintf(why, size, "pipe: %s", strerror(errno));
		return false;
	}
	has_before = tcgetattr(fileno(input), &before) == 0;
	/* Messages for memory errors in ncurses 6.4, which then crashes or ends the program. */
	start_failed = _("tnav: no memory to prepare the terminal\n");
	draw_failed = _("tnav: ncurses failed, probably because memory is out\n");
	catch_signals();
	atexit(give_back);
	starting = 1;
	if (!look_at_terminal(why, size)) {
		starting = 0;
		return false;
	}
	screen = newterm(NULL, stdout, input);
	if (!screen) {
		give_back();
		starting = 0;
		snprintf(why, size, "%s", _("out of memory"));
		return false;
	}
	orig_colors = NULL;	/* keep endwin() from resetting the palette, which tnav does not change */
	ascii = strcmp(nl_langinfo(CODESET), "ANSI_X3.4-1968") == 0;
	take_modes();
	ask_for_marks(true);
	term_colors(color, background);
	starting = 0;
	return true;
}

void
term_stop(void)
{
	if (!screen)
		return;
	ask_for_marks(false);
	/*
	 * Do not call delscreen(): in ncurses 6.4 it crashes if tparm() could not allocate memory. ncurses keeps the
	 * screen until the program ends.
	 */
	drawing = 1;
	endwin();
	drawing = 0;
	screen = NULL;
	restore_size = 0;
	has_started = has_styles = false;
	canvas_release(&drawn);
}

void
term_size(int *rows, int *cols)
{
	getmaxyx(stdscr, *rows, *cols);
}

/* ---- output ---- */

/* Whether the character set of the terminal contains the character. */
static bool
shown(ucs4_t uc)
{
	char room[MB_LEN_MAX];
	mbstate_t state = { 0 };

	return uc < 0x80 || (!ascii && wcrtomb(room, (wchar_t)uc, &state) != (size_t)-1);
}

static void
draw_cell(int row, int col, const struct cell *cell)
{
	wchar_t text[CCHARW_MAX + 1];
	size_t n = 0, at = 0;
	attr_t attributes;
	cchar_t c;
	short pair;
	int width = 0;

	resolve(cell->style, &attributes, &pair);
	while (at < cell->n && n < CCHARW_MAX) {
		ucs4_t uc;
		int used = u8_mbtoucr(&uc, (const uint8_t *)cell->text + at, cell->n - at);

		if (used <= 0)
			break;
		if (!shown(uc))
			uc = '?';
		width += wcwidth((wchar_t)uc) < 0 ? 100 : wcwidth((wchar_t)uc);
		text[n++] = (wchar_t)uc;
		at += (size_t)used;
	}
	if (width != cell->width) {	/* the C library assumes another width; no other cell may move */
		for (int i = 0; i < cell->width; i++) {
			setcchar(&c, L"?", attributes, pair, NULL);
			mvadd_wch(row, col + i, &c);
		}
		return;
	}
	text[n] = L'\0';
	setcchar(&c, text, attributes, pair, NULL);
	mvadd_wch(row, col, &c);
}

static void
refresh_now(void)
{
	drawing = 1;
	refresh();
	drawing = 0;
}

void
term_draw(const struct canvas *canvas)
{
	size_t row_size = (size_t)canvas->cols * sizeof *canvas->cell;

	if (drawn.rows != canvas->rows || drawn.cols != canvas->cols) {
		if (!canvas_resize(&drawn, canvas->rows, canvas->cols))
			return;
		memset(drawn.cell, 0xff, (size_t)drawn.rows * row_size);
		erase();
	}
	for (int row = 0; row < canvas->rows; row++) {
		const struct cell *cell = canvas->cell + (size_t)row * (size_t)canvas->cols;
		struct cell *old = drawn.cell + (size_t)row * (size_t)canvas->cols;

		if (memcmp(old, cell, row_size) == 0)
			continue;
		memcpy(old, cell, row_size);
		for (int col = 0; col < canvas->cols; col++)
			if (cell[col].width)
				draw_cell(row, col, &cell[col]);
	}
	if (canvas->cursor_row >= 0) {
		move(canvas->cursor_row, canvas->cursor_col);
		curs_set(1);
	} else {
		move(canvas->rows - 1, canvas->cols - 1);
		curs_set(0);
	}
	refresh_now();
}

void
term_redraw(void)
{
	clearok(stdscr, TRUE);
	canvas_release(&drawn);
}

/* ---- input ---- */

#define SEQUENCE_MS 20	/* time between characters of a sequence; after it, an Escape is a key */

static bool pasting;
static struct mouse mouse;

/*
 * Add a byte of a character. Returns the complete character, or K_NONE if more bytes are needed. In an ASCII locale,
 * terminals send UTF-8. Bytes that are invalid in the locale (such as a pasted name) are read as UTF-8 or omitted, but
 * the bytes after them are kept.
 */
static uint32_t
join_bytes(unsigned char byte)
{
	static unsigned char part[4];
	static size_t n;
	mbstate_t state = { 0 };
	size_t used = (size_t)-1;
	wchar_t wide = 0;
	ucs4_t uc;
	int k;

	if (byte < 0x80) {
		n = 0;
		return byte;
	}
	if (n == sizeof part)
		n = 0;
	part[n++] = byte;
	if (!ascii)
		used = mbrtowc(&wide, (const char *)part, n, &state);
	if (used == (size_t)-2)
		return K_NONE;
	if (used != (size_t)-1) {
		n = 0;
		return (uint32_t)wide;
	}
	k = u8_mbtoucr(&uc, part, n);
	if (k == -2)
		return K_NONE;
	if (k < 0 && n > 1) {	/* this byte begins another character */
		n = 0;
		return join_bytes(byte);
	}
	n = 0;
	return k < 0 ? K_NONE : uc;
}

/* Read the next character; K_NONE: there is none. Sequences are not combined to keys here. */
static uint32_t
read_character(void)
{
	uint32_t c;
	int byte;

	if (pushed) {
		uint32_t key = pushed;

		pushed = K_NONE;
		return key;
	}
	do {
		byte = getch();
		if (byte == ERR)
			return K_NONE;
		if (byte > UCHAR_MAX)
			c = byte == KEY_RESIZE ? K_RESIZE : K_NONE;
		else
			c = byte == 0x7f ? K_BACKSPACE : join_bytes((unsigned char)byte);
	} while (c == K_NONE);
	return c;
}

/* Read the next character of a sequence; K_NONE: it did not arrive in time. */
static uint32_t
read_more(void)
{
	struct pollfd fd = { .fd = fileno(input), .events = POLLIN };
	uint32_t c = read_character();

	while (c == K_NONE && poll(&fd, 1, SEQUENCE_MS) > 0 && !(fd.revents & (POLLHUP | POLLERR)))
		if ((c = read_character()) == K_NONE && !(fd.revents & POLLIN))
			break;
	return c;
}

/* Read the sequence after an Escape, and return its key. */
static uint32_t
read_sequence(void)
{
	struct escape e = { .n = 0 };
	enum escape_end end = ESCAPE_MORE;
	uint32_t key = K_NONE;

	while (end == ESCAPE_MORE) {
		uint32_t c = read_more();

		if (c >= K_FIRST && c != K_BACKSPACE) {	/* the size changed in the middle of the sequence */
			pushed = c;
			c = K_NONE;
		}
		end = c == K_NONE ? escape_over(&e, &key) : escape_add(&e, c, &key);
		if (end == ESCAPE_TWO) {
			pushed = c;
			return K_ESC;
		}
	}
	if (key == K_MOUSE)
		mouse = e.mouse;
	return end == ESCAPE_KEY ? key : K_NONE;
}

/* Read the next key; K_NONE: there is none. */
static uint32_t
read_key(void)
{
	uint32_t key;

	while ((key = read_character()) != K_NONE) {
		if (key == K_ESC)
			key = read_sequence();
		if (key == K_PASTE_BEGIN || key == K_PASTE_END)
			pasting = key == K_PASTE_BEGIN;
		else if (pasting && key < K_FIRST)
			return key | K_PASTED;
		else if (key != K_NONE && !(pasting && key != K_RESIZE))
			return key;
	}
	return K_NONE;
}

void
term_ask_mouse(bool on)
{
	const char *text = on ? MOUSE_ON : MOUSE_OFF;

	if (on == wants_mouse)
		return;
	wants_mouse = on;
	term_send(text, strlen(text));
}

const struct mouse *
term_mouse(void)
{
	return &mouse;
}

static void
drain_wake(void)
{
	char bytes[64];

	while (read(wake[0], bytes, sizeof bytes) > 0)
		;
}

/*
 * Whether the terminal is gone. Reads would then succeed for ever, and a process that the terminal does not control
 * receives no SIGHUP.
 */
static bool
has_gone(const struct pollfd *fd)
{
	bool gone = fd->revents & (POLLHUP | POLLERR);

	if (gone && !leaving)
		leaving = SIGHUP;
	return gone;
}

/* Wait for input. False: the time is over. */
static bool
wait_input(int timeout_ms)
{
	struct pollfd fd[2] = { { .fd = fileno(input), .events = POLLIN }, { .fd = wake[0], .events = POLLIN } };

	int rc = poll(fd, 2, timeout_ms);

	if (rc <= 0)
		return rc < 0 && errno == EINTR;
	if (fd[1].revents)
		drain_wake();
	return !has_gone(&fd[0]);
}

uint32_t
term_key(int timeout_ms)
{
	uint32_t key = read_key();

	if (key == K_NONE && timeout_ms != 0 && wait_input(timeout_ms))
		key = read_key();
	return key;
}

bool
term_key_ready(void)
{
	struct pollfd fd = { .fd = fileno(input), .events = POLLIN };

	return pushed || (poll(&fd, 1, 0) > 0 && !has_gone(&fd));
}

void
term_wake(void)
{
	int error = errno;
	ssize_t rc = write(wake[1], "", 1);

	(void)rc;	/* if the pipe is full, its reader wakes up anyway */
	errno = error;
}

int
term_signal(void)
{
	return leaving;
}

/* ---- other programs on the same terminal ---- */

void
term_leave(void)
{
	ask_for_marks(false);
	def_prog_mode();
	endwin();
}

void
term_return(void)
{
	reset_prog_mode();
	take_modes();
	ask_for_marks(true);
	term_redraw();
	refresh_now();
}

void
term_suspend(void)
{
	struct sigaction plain = { .sa_handler = SIG_DFL }, former;

	term_leave();
	sigaction(SIGTSTP, &plain, &former);
	kill(0, SIGTSTP);	/* stop the whole process group, as the terminal would */
	sigaction(SIGTSTP, &former, NULL);
	term_return();
}

void
term_send(const char *bytes, size_t n)
{
	fwrite(bytes, 1, n, stdout);
	fflush(stdout);
}

const char *
term_library(void)
{
	return curses_version();
}
