/*
 * demo.h - the built-in sample trace
 *
 * A web shop in the minute of its flash sale: a kernel with two processors, the shop's server, its
 * database, and the gate of its warehouse with a clock of its own. Always the same bytes.
 */
#ifndef DEMO_H
#define DEMO_H

#include <stddef.h>

#include <tnav/writer.h>

#define DEMO_SAME "request query"	/* names of its fields that mean the same */

/* Write the trace into @folder, which is made if need be. The form is that of the metadata alone. */
enum tn_code demo_write(const char *folder, enum tn_metadata_form form, struct tn_error *err);

/* Write the trace to a new folder under $TMPDIR; @folder gets its path. */
enum tn_code demo_make(char *folder, size_t size, struct tn_error *err);

/* Remove the folder and its files. Programs that have mapped the trace can still read it. */
void demo_remove(const char *folder);

#endif
