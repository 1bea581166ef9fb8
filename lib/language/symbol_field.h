/* symbol_field.h - symbol(NAME) as a value: the part of field.h that knows functions */
#ifndef TN_LANGUAGE_SYMBOL_FIELD_H
#define TN_LANGUAGE_SYMBOL_FIELD_H

#include "language/field.h"

/* If *name is "symbol(NAME)": read the functions, and make space for the process; *name becomes NAME. */
enum tn_code tn_symbol_name(struct tn_reference *reference, const char **name, struct tn_error *err) TN_MUST_CHECK;
/* The place of the function's name, for that of the address; NULL: memory is out. */
struct tn_place *tn_symbol_place(struct tn_reference *reference, struct tn_place *address);
/* The name of the function at @address in the process @pid, at the row of the state. */
void tn_symbol_look(const struct tn_functions *functions, const struct tn_row_state *state, const struct tn_cell *address,
		    const struct tn_cell *pid, struct tn_cell *out);

#endif
