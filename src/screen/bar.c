#include <config.h>

#include <string.h>

#include "bar.h"

void
bar_text(double share, bool utf8, char out[BAR_TEXT])
{
	static const char *const eighths[] = {
		"", "\342\226\217", "\342\226\216", "\342\226\215", "\342\226\214", "\342\226\213", "\342\226\212", "\342\226\211",
	};
	int n = share >= 1 ? 8 * BAR_CELLS : share > 0 ? (int)(share * 8 * BAR_CELLS) : 0;

	if (share > 0 && n == 0)
		n = 1;
	if (!utf8)	/* only whole cells */
		n = (n + 7) / 8 * 8;
	*out = '\0';
	for (; n >= 8; n -= 8)
		strcat(out, utf8 ? "\342\226\210" : "#");
	strcat(out, eighths[n]);
}
