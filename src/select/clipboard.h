/* clipboard.h - text for the clipboard of the terminal (OSC 52) and of the desktop */
#ifndef CLIPBOARD_H
#define CLIPBOARD_H

#include "session/session.h"

/* Copy @text, which has @events events (0: lines that are not events), and report the copy, or that it is too large. */
void clipboard_give(struct session *s, const char *text, size_t n, uint64_t events);

#endif
