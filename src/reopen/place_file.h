/*
 * place_file.h - coming back: the place, marks and their notes, filters, columns, colours and shifts of a trace
 *
 * Kept under a name, for these very traces: their UUIDs, or their paths where they have none, are part of the file's
 * name. Read when it is asked for by `:session NAME`, or always with the setting `session`; written when one leaves.
 */
#ifndef PLACE_FILE_H
#define PLACE_FILE_H

#include "select/filters.h"
#include "session/session.h"

#define PLACE_NAME 40
#define PLACE_USUAL "last"	/* of the setting */

struct place_file {
	char name[PLACE_NAME + 1];	/* "": nothing is kept */
	bool automatic;		/* under the usual name, without a wish; offered at the next start */
	bool offered, taken;	/* there is something */
};

/* Go on from what is kept under that name, and keep it there from now on; "off": no more; "": say what there is. */
void place_file_begin(struct place_file *k, struct session *s, struct filters *f, const char *name);
/* The same at the start, without a word where there is nothing yet. */
void place_file_begin_usual(struct place_file *k, struct session *s, struct filters *f);
/* Offers what is there under the usual name; nothing changes. */
void place_file_offer(struct place_file *k, struct session *s);
void place_file_restore(struct place_file *k, struct session *s, struct filters *f);	/* the user wants it */
/* True if there is nothing to save. */
bool place_file_save(const struct place_file *k, const struct session *s, struct tn_error *err);

#endif
