/*
 * status.h - the lines at the bottom: the place of the cursor, and the prompt or a message
 */
#ifndef STATUS_H
#define STATUS_H

#include "state.h"

void status_draw(struct app *a, int row);
int message_rows(const struct app *a);	/* rows of the message: the last line may take several */
void message_draw(struct app *a, int row, int rows);

#endif
