/* open.h - opening with a given table of formats (tests) */
#ifndef TN_SET_OPEN_H
#define TN_SET_OPEN_H

#include "model/decoder.h"

/* tn_set_open() with the formats of @formats, which ends with NULL. */
enum tn_code tn_set_open_formats(struct tn_set **out, const struct tn_format *const *formats,
				 const char *const *path, size_t n_paths, const struct tn_open_options *options,
				 struct tn_error *err);

#endif
