/*
 * nicknames.h - which numbers of an answer are shown with their names (tn_nicknames_find())
 */
#ifndef NICKNAMES_H
#define NICKNAMES_H

#include <tnav/table.h>

/* Whether the next column has the names of a column's numbers. */
bool nicknames_follow(const struct tn_table *table, size_t column);
/*
 * For lanes "EVENT.FIELD by LANE": the field of the states (*of, owned; "name" if the states are names of spans) and
 * the field of the lanes (*by, within @definition). *of NULL: memory is out.
 */
void nicknames_of_lanes(const char *definition, char **of, const char **by);

#endif
