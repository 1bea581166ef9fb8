/*
 * thrift.h - structs in the compact protocol of Thrift, in which Parquet writes its headers and its footer
 *
 * The fields of a struct are written in ascending order of their ids. An inner struct has its own struct tn_thrift, which
 * counts ids from 0.
 */
#ifndef TN_COLUMNS_THRIFT_H
#define TN_COLUMNS_THRIFT_H

#include "base/str.h"

enum tn_thrift_type {
	TN_THRIFT_TRUE = 1, TN_THRIFT_FALSE, TN_THRIFT_I8, TN_THRIFT_I16, TN_THRIFT_I32, TN_THRIFT_I64, TN_THRIFT_DOUBLE,
	TN_THRIFT_BYTES, TN_THRIFT_LIST, TN_THRIFT_STRUCT = 12
};

/* The struct that is being written. */
struct tn_thrift {
	struct tn_str *out;
	unsigned last;		/* id of the last field */
};

void tn_put_varint(struct tn_str *out, uint64_t n);
void tn_put_zigzag(struct tn_str *out, int64_t n);
/* Write bytes as an element of a list. */
void tn_thrift_bytes(struct tn_str *out, const void *bytes, size_t n);

/* Write the header of a field; its content must follow. */
void tn_thrift_field(struct tn_thrift *t, unsigned id, enum tn_thrift_type type);
void tn_thrift_put_i32(struct tn_thrift *t, unsigned id, int32_t n);
void tn_thrift_put_i64(struct tn_thrift *t, unsigned id, int64_t n);
void tn_thrift_put_bool(struct tn_thrift *t, unsigned id, bool b);
void tn_thrift_put_bytes(struct tn_thrift *t, unsigned id, const void *bytes, size_t n);
/* Write the header of a list of @n elements, which must follow without headers. */
void tn_thrift_put_list(struct tn_thrift *t, unsigned id, enum tn_thrift_type element, size_t n);
/* Begin the struct that is field @id. Write its fields, then call tn_thrift_end(). */
struct tn_thrift tn_thrift_begin(struct tn_thrift *t, unsigned id);
void tn_thrift_end(struct tn_thrift *t);
/* Write a struct without fields. */
void tn_thrift_put_empty(struct tn_thrift *t, unsigned id);

#endif
