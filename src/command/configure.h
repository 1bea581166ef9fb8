/*
 * configure.h - read `set NAME VALUE` and `bind VIEW KEYS ACTION` from the command line and from
 * $XDG_CONFIG_HOME/tnav/config
 */
#ifndef CONFIGURE_H
#define CONFIGURE_H

#include "session/keymap.h"
#include "session/session.h"

/* Read a line. False: *err has the mistake. */
bool configure_line(struct settings *set, struct keymap *map, const char *line, struct tn_error *err);
/* Read the file. False: a line of the file is wrong; *err names file and line. The other lines apply. */
bool configure_from_file(struct settings *set, struct keymap *map, struct tn_error *err);

#endif
