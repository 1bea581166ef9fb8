/* nicknames.h - find numbers of an answer that are shown with names (tn_nicknames_find()) */
#ifndef NICKNAMES_H
#define NICKNAMES_H

#include <tnav/table.h>

/* Whether the next column contains the names of this column's numbers. */
bool nicknames_follow(const struct tn_table *table, size_t column);
/*
 * For lanes "EVENT.FIELD by LANE": find the field of the states (*of, owned; "name" if the states are names of spans) and
 * the field of the lanes (*by, a part of @definition). *of NULL: memory is out.
 */
void nicknames_of_lanes(const char *definition, char **of, const char **by);

#endif
