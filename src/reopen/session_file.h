/*
 * session_file.h - sessions in files: the place, marks and their notes, filters, columns, colours and shifts of a trace
 *
 * A session has a name and belongs to its traces: their UUIDs, or their paths if they have none, are part of the file's
 * name. `:session NAME` reads it, or the setting `session` at each start. Leaving tnav writes it.
 */
#ifndef SESSION_FILE_H
#define SESSION_FILE_H

#include "select/filters.h"
#include "session/session.h"

#define PLACE_NAME 40
#define PLACE_USUAL "last"	/* value of the setting for the usual session */

struct session_file {
	char name[PLACE_NAME + 1];	/* "": none */
	bool automatic;		/* the usual session, without a request; offered at the next start */
	bool offered, taken;	/* there is a usual session; the user accepted it */
};

/* Read the session @name, and write it from now on; "off": write none; "": list the sessions. */
void session_file_begin(struct session_file *k, struct session *s, struct filters *f, const char *name);
/* Read the usual session at the start. No message if there is none. */
void session_file_begin_usual(struct session_file *k, struct session *s, struct filters *f);
/* Offer the usual session. Nothing changes yet. */
void session_file_offer(struct session_file *k, struct session *s);
void session_file_restore(struct session_file *k, struct session *s, struct filters *f);	/* the user accepts the offer */
/* True if there is nothing to save. */
bool session_file_save(const struct session_file *k, const struct session *s, struct tn_error *err);

#endif
