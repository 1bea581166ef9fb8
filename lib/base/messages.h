/*
 * messages.h - texts for people in their language, when the program has asked for it
 *
 * The functions of base/error.h translate the formats they are given: a format stands there as it is. What
 * becomes an argument of one, a word or a part of a sentence, is marked: _("an integer") where it is used,
 * N_("an integer") in a table, whose user says _(table[i]).
 */
#ifndef TN_BASE_MESSAGES_H
#define TN_BASE_MESSAGES_H

#include <tnav/error.h>

/* @english, a literal or one of N_(), in the language of the program's messages; never NULL. */
#if defined(__GNUC__)
__attribute__((format_arg(1)))
#endif
const char *tn_message(const char *english);

/* The one or the other, as the language counts @n; @english and @many as above. */
#if defined(__GNUC__)
__attribute__((format_arg(1), format_arg(2)))
#endif
const char *tn_message_n(const char *english, const char *many, unsigned long n);

/* What is the same while messages are in the same language, of the same catalogue; "" for that of the source. */
const char *tn_messages_head(void);

#define _(text) tn_message(text)
#define P_(one, many, n) tn_message_n(one, many, (unsigned long)(n))
#define N_(text) text

#endif
