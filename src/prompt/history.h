/* history.h - the lines typed in the prompts, kept between runs */
#ifndef HISTORY_H
#define HISTORY_H

#include "prompt_line.h"

void history_load(struct prompt_line *q);
void history_save(const struct prompt_line *q);	/* merges lines that other programs have added */

#endif
