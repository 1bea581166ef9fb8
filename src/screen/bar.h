/* bar.h - draw a number as a bar of cells */
#ifndef BAR_H
#define BAR_H

#include <stdbool.h>

#define BAR_CELLS 20
#define BAR_TEXT (4 * BAR_CELLS + 1)

/* Make a bar. @share 1 fills BAR_CELLS cells; any @share above 0 shows at least the smallest sign. */
void bar_text(double share, bool utf8, char out[BAR_TEXT]);

#endif
