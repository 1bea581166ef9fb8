/* types.h - types made by hand, for tests of plans */
#ifndef TN_TEST_PLAN_TYPES_H
#define TN_TEST_PLAN_TYPES_H

#include "plan/machine.h"

struct tn_field *type_field(struct tn_trace *t, const char *name, enum tn_kind kind, uint32_t align);
struct tn_field *type_int(struct tn_trace *t, const char *name, int bits, uint32_t align, bool big_endian);	/* < 0: signed */
/* A compound of copies of fields, up to NULL; its alignment is that of its members. */
struct tn_field *type_of(struct tn_trace *t, const char *name, enum tn_kind kind, ...);
struct tn_field *type_array(struct tn_trace *t, const char *name, struct tn_field *element, uint64_t n);
struct tn_field *type_sequence(struct tn_trace *t, const char *name, struct tn_field *element, int32_t slot);
void type_option(struct tn_trace *t, struct tn_field *variant, size_t i, int64_t lower, int64_t upper);
int32_t type_slot(struct tn_trace *t, struct tn_field *f);	/* gives it one */

#endif
