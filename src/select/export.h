/* export.h - export the events that pass the filters as a trace, in a job */
#ifndef BROWSER_EXPORT_H
#define BROWSER_EXPORT_H

#include "session/session.h"

/* Export to @path, a folder that must not exist. */
void export_events(struct session *s, const char *path);

#endif
