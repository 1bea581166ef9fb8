/* folder.h - trace folders made for a test, and all rows of them as text */
#ifndef TN_TEST_CTF_FOLDER_H
#define TN_TEST_CTF_FOLDER_H

#include "base/str.h"
#include "model/decoder.h"

struct folder {
	char path[64];
	struct tn_str told;	/* problems, a line each */
};


void folder_new(struct folder *f, const char *metadata);
void folder_free(struct folder *f);	/* removes it */
void folder_add(const struct folder *f, const char *name, const void *bytes, size_t n);
/* The same from hex digits; blanks, '|' and "#...\n" are left out. */
size_t hex(const char *text, uint8_t *out, size_t room);
void folder_add_hex(const struct folder *f, const char *name, const char *text);

struct tn_trace *folder_open(struct folder *f);	/* asserts that it works */
void trace_close(struct tn_trace *t);
void index_all(struct tn_trace *t);	/* every stream; asserts what must hold of entries */

/*
 * All rows of the stream, in batches of at most @limit, a line each: "TIME NAME PAYLOAD-INTEGERS", or
 * "TIME lost 3 events" and so on. Asserts what must hold of any batch, and that count agrees.
 */
void rows(struct tn_stream *s, uint32_t limit, struct tn_str *out);

#endif
