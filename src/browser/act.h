/*
 * act.h - the actions that no view does itself
 */
#ifndef ACT_H
#define ACT_H

#include "screen/key_escape.h"
#include "state.h"

/* Make sure that the shown part of the view is available, before it is drawn. */
void act_prepare(struct app *a, struct view *v);
void act(struct app *a, const struct call *call);
void act_reply(struct app *a, struct view *v, unsigned reply);	/* do what a view's reply asks for */
/* Go, and remember the place before. Views opened after the request (`views_opened` above @since) stay open. */
void act_go(struct app *a, const struct place *place, enum align align, unsigned since);
void act_go_later(struct app *a);	/* the index has reached the place of the waiting jump */
void act_times(struct app *a, enum action action);	/* how times look, and from where they count */
/* Actions a and X. False: the session says what is missing; true: a table is wished for. */
bool act_compare(struct app *a, enum action action);
void act_mouse(struct app *a, const struct mouse *mouse);
void act_prompt_key(struct app *a, uint32_t key);
void act_letter(struct app *a, enum action action, uint32_t key);	/* a key after m or ' */

void act_command(struct app *a, const char *text);	/* the text typed after ':', or "/RE", "?RE", "&FILTER" */

#endif
