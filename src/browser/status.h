/*
 * status.h - the lines at the bottom: where one is, and what is typed or said
 */
#ifndef STATUS_H
#define STATUS_H

#include "state.h"

void status_draw(struct app *a, int row);
int message_rows(const struct app *a);	/* rows of the message: the last line may take several */
void message_draw(struct app *a, int row, int rows);

#endif
