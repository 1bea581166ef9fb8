/* symbol_field.h - symbol(NAME) as a value, for field.h */
#ifndef TN_LANGUAGE_SYMBOL_FIELD_H
#define TN_LANGUAGE_SYMBOL_FIELD_H

#include "language/field.h"

/* If *name is "symbol(NAME)", read the functions, make space for the process, and set *name to NAME. */
enum tn_code tn_symbol_name(struct tn_reference *reference, const char **name, struct tn_error *err) TN_MUST_CHECK;
/* Make the place of the function's name from the place of the address. NULL: memory is out. */
struct tn_place *tn_symbol_place(struct tn_reference *reference, struct tn_place *address);
/* Get the name of the function at @address in the process @pid, at the time of the state's row. */
void tn_symbol_look(const struct tn_functions *functions, const struct tn_row_state *state, const struct tn_cell *address,
		    const struct tn_cell *pid, struct tn_cell *out);

#endif
