/* open.h - open a set with a given table of formats (tests) */
#ifndef TN_SET_OPEN_H
#define TN_SET_OPEN_H

#include "model/decoder.h"

/* Like tn_set_open(), with the formats of @formats, which NULL ends. */
enum tn_code tn_set_open_formats(struct tn_set **out, const struct tn_format *const *formats,
				 const char *const *path, size_t n_paths, const struct tn_open_options *options,
				 struct tn_error *err);

#endif
