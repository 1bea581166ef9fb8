/*
 * place_file.h - sessions in files: the place, marks and their notes, filters, columns, colours and shifts of a trace
 *
 * A session has a name and belongs to its traces: their UUIDs, or their paths if they have none, are part of the file's
 * name. `:session NAME` reads it, or the setting `session` at each start. Leaving tnav writes it.
 */
#ifndef PLACE_FILE_H
#define PLACE_FILE_H

#include "select/filters.h"
#include "session/session.h"

#define PLACE_NAME 40
#define PLACE_USUAL "last"	/* of the setting */

struct place_file {
	char name[PLACE_NAME + 1];	/* "": none */
	bool automatic;		/* the usual session, without a request; offered at the next start */
	bool offered, taken;	/* there is a usual session; the user accepted it */
};

/* Read the session @name, and write it from now on; "off": write none; "": list the sessions. */
void place_file_begin(struct place_file *k, struct session *s, struct filters *f, const char *name);
/* At the start: read the usual session. Silent if there is none. */
void place_file_begin_usual(struct place_file *k, struct session *s, struct filters *f);
/* Offer the usual session. Nothing changes yet. */
void place_file_offer(struct place_file *k, struct session *s);
void place_file_restore(struct place_file *k, struct session *s, struct filters *f);	/* the user accepts the offer */
/* True if there is nothing to save. */
bool place_file_save(const struct place_file *k, const struct session *s, struct tn_error *err);

#endif
