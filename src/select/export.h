/*
 * export.h - the events that pass as a trace, beside the view
 */
#ifndef BROWSER_EXPORT_H
#define BROWSER_EXPORT_H

#include "session/session.h"

/* Export to @path, a folder that does not exist. */
void export_events(struct session *s, const char *path);

#endif
