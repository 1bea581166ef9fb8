/*
 * demo.h - the built-in sample trace
 *
 * A web shop during its flash sale: a kernel with two processors, the shop's server, its database, and the gate of its
 * warehouse, which has its own clock. The bytes are always the same.
 */
#ifndef DEMO_H
#define DEMO_H

#include <stddef.h>

#include <tnav/writer.h>

#define DEMO_SAME "request query"	/* names of its fields that mean the same */

/* Write the trace into @folder, and make the folder if it does not exist. @form: the form of the metadata. */
enum tn_code demo_write(const char *folder, enum tn_metadata_form form, struct tn_error *err);

/* Write the trace to a new folder under $TMPDIR; put the folder's path in @folder. */
enum tn_code demo_make(char *folder, size_t size, struct tn_error *err);

/* Remove the folder and its files. A program that has mapped the trace can still read it. */
void demo_remove(const char *folder);

#endif
