/*
 * term.h - the terminal: draws a canvas, reads keys
 *
 * The only module that includes curses. The terminal is restored by term_stop(), at exit, and when a signal ends the
 * program.
 */
#ifndef TERM_TERM_H
#define TERM_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "screen/style.h"

struct canvas;
struct mouse;

/* Take the terminal. @color false: no colours. False: the terminal cannot be used; @why has a text for the user. */
bool term_start(bool color, enum background background, char *why, size_t size);
/* Use these colours from now on. AUTO: the terminal's background or else colours that are readable on any background. */
void term_colors(bool color, enum background background);
void term_stop(void);
int term_color_count(void);	/* 0, 8 or 256 */

void term_size(int *rows, int *cols);
void term_draw(const struct canvas *canvas);
void term_redraw(void);		/* the next drawing sends all cells again */

/*
 * Wait for a key for at most @timeout_ms (-1: no limit), or until term_wake() is called. K_NONE: no key was pressed.
 * K_RESIZE: call term_size().
 */
uint32_t term_key(int timeout_ms);
bool term_key_ready(void);	/* a key can be read at once */
const struct mouse *term_mouse(void);	/* the event of the last K_MOUSE */
void term_ask_mouse(bool on);	/* whether the terminal shall report mouse events */
void term_wake(void);		/* safe in any thread and in signal handlers */
int term_signal(void);		/* signal that asked the program to leave; 0: none */

void term_suspend(void);	/* stop the program as the shell's job control does; returns when it continues */
/* Give the terminal to another program for a while, and take it back. */
void term_leave(void);
void term_return(void);
/* Send bytes directly to the terminal, not through the screen: OSC 52. */
void term_send(const char *bytes, size_t n);

/* The library that draws, with its version. */
const char *term_library(void);

#endif
