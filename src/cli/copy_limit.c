#include <config.h>

#include "copy_limit.h"

#include <stdio.h>

#include "gettext.h"
#include "output.h"

#define USUAL_LIMIT ((uint64_t)1 << 30)

uint64_t
copy_limit(const struct options *o)
{
	return o->mode != MODE_DIFF ? UINT64_MAX : o->copy_limit ? o->copy_limit : USUAL_LIMIT;
}

void
copy_limit_report(const char *host, uint64_t size, uint64_t limit)
{
	char text[400];

	snprintf(text, sizeof text, size > limit ?
		 _("the trace is larger than %.1f MB, the limit of a copy: give a larger --copy-limit, or run tnav on the host") :
		 _("copied %.1f MB"), (double)(size > limit ? limit : size) / 1e6);
	complain(size > limit ? host : _("note"), text);
}
