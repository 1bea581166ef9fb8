/* act.h - the actions that are not specific to a view */
#ifndef ACT_H
#define ACT_H

#include "screen/key_escape.h"
#include "state.h"

/* Make sure that the lines on the screen are available, before the view is drawn. */
void act_prepare(struct app *a, struct view *v);
void act(struct app *a, const struct call *call);
void act_reply(struct app *a, struct view *v, unsigned reply);	/* do what the view's reply requests */
/*
 * Jump to a place, and remember the place before. Views that were opened after the request (`views_opened` above @since)
 * stay open.
 */
void act_go(struct app *a, const struct place *place, enum align align, unsigned since);
void act_go_later(struct app *a);	/* the waiting jump can now be done, because the index reaches its place */
void act_times(struct app *a, enum action action);	/* change the form of times, or their origin */
/* Do the actions of the keys a and X. True: a table was requested. False: the session reports what is missing. */
bool act_compare(struct app *a, enum action action);
void act_mouse(struct app *a, const struct mouse *mouse);
void act_prompt_key(struct app *a, uint32_t key);
void act_letter(struct app *a, enum action action, uint32_t key);	/* handle the letter that follows m or ' */

void act_command(struct app *a, const char *text);	/* run a command as typed after ':', or "/RE", "?RE", "&FILTER" */

#endif
