/* status.h - the lines at the bottom: position of the cursor, and the prompt or a message */
#ifndef STATUS_H
#define STATUS_H

#include "state.h"

void status_draw(struct app *a, int row);
int message_rows(const struct app *a);	/* number of rows for the message; a long one takes several */
void message_draw(struct app *a, int row, int rows);

#endif
