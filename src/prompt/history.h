/*
 * history.h - what was typed in the prompts, kept between runs
 */
#ifndef HISTORY_H
#define HISTORY_H

#include "prompt_line.h"

void history_load(struct prompt_line *q);
void history_save(const struct prompt_line *q);	/* with what others have kept since */

#endif
