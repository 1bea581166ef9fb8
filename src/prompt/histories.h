/*
 * histories.h - what was typed in the prompts, kept between runs
 */
#ifndef HISTORIES_H
#define HISTORIES_H

#include "prompt_line.h"

void histories_load(struct asking *q);
void histories_save(const struct asking *q);	/* with what others have kept since */

#endif
