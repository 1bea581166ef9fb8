/*
 * messages.h - messages in the language of the user, if the program has asked for it
 *
 * The functions of base/error.h translate their formats: a format is written as it is. An argument that is a
 * word or a part of a sentence is marked: _("an integer") at its use, N_("an integer") in a table, whose reader
 * writes _(table[i]).
 */
#ifndef TN_BASE_MESSAGES_H
#define TN_BASE_MESSAGES_H

#include <tnav/error.h>

/* Translate @english, a literal or an N_(), into the language of messages; never NULL. */
#if defined(__GNUC__)
__attribute__((format_arg(1)))
#endif
const char *tn_message(const char *english);

/* Choose one of two forms by the language's plural rule for @n, and translate it; @english and @many as above. */
#if defined(__GNUC__)
__attribute__((format_arg(1), format_arg(2)))
#endif
const char *tn_message_n(const char *english, const char *many, unsigned long n);

/* A text that changes only with the language of messages and with the catalogue; "" for the language of the source. */
const char *tn_messages_head(void);

#define _(text) tn_message(text)
#define P_(one, many, n) tn_message_n(one, many, (unsigned long)(n))
#define N_(text) text

#endif
