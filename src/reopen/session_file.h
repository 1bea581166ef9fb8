/*
 * session_file.h - sessions in files: place, marks with notes, filters, columns, colours and shifts of traces
 *
 * A session has a name and belongs to its traces: the file's name contains a hash of their UUIDs, or of their paths if
 * they have none. `:session NAME` reads it, as does the setting `session` at each start. It is written when the user
 * leaves tnav.
 */
#ifndef SESSION_FILE_H
#define SESSION_FILE_H

#include "select/filters.h"
#include "session/session.h"

#define PLACE_NAME 40
#define PLACE_USUAL "last"	/* name of the default session */

struct session_file {
	char name[PLACE_NAME + 1];	/* "": no session is in use */
	bool automatic;		/* the default session is stored without a request, and offered at the next start */
	bool offered, taken;	/* a default session exists; the user accepted it */
};

/* Read the session @name, and store it from now on; "off": stop storing; "": list the sessions. */
void session_file_begin(struct session_file *k, struct session *s, struct filters *f, const char *name);
/* Read the default session at the start. No message if there is none. */
void session_file_begin_usual(struct session_file *k, struct session *s, struct filters *f);
/* Offer the default session; nothing changes until the user accepts. */
void session_file_offer(struct session_file *k, struct session *s);
void session_file_restore(struct session_file *k, struct session *s, struct filters *f);	/* the user accepts the offer */
/* Store the session in use. True also if there is nothing to store. */
bool session_file_save(const struct session_file *k, const struct session *s, struct tn_error *err);

#endif
