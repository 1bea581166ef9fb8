/* words.h - divide a line into words */
#ifndef WORDS_H
#define WORDS_H

#include <string.h>

/* Cut the first word off *text. */
static inline char *
word(char **text)
{
	char *w = *text + strspn(*text, " \t"), *end = w + strcspn(w, " \t");

	*text = *end ? end + 1 + strspn(end + 1, " \t") : end;
	*end = '\0';
	return w;
}

#endif
