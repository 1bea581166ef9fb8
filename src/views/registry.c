#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "view.h"

const struct view_class *const view_classes[] = {
	&events_view, &details_view, &bytes_view, &packets_view, &streams_view, &statistics_view, &histogram_view,
	&problems_view, &metadata_view, &bookmarks_view, &filters_view, &columns_view, &help_view, &values_view,
	&answers_view, &lanes_view, &plot_view, &flame_view, &ladder_view, NULL
};

const struct view_class *
view_find(const char *name)
{
	for (size_t i = 0; view_classes[i]; i++)
		if (strcmp(view_classes[i]->name, name) == 0)
			return view_classes[i];
	return NULL;
}

struct view *
view_open(const struct view_class *class, struct session *s, struct tn_error *err)
{
	struct view *v = calloc(1, class->size);

	if (!v) {
		err->code = TN_ERR_MEMORY;
		strcpy(err->text, "out of memory");
		return NULL;
	}
	v->class = class;
	v->session = s;
	v->asked = s->asks.changes;
	if (class->open && !class->open(v, err)) {
		view_close(v);
		return NULL;
	}
	return v;
}

void
view_close(struct view *v)
{
	if (!v)
		return;
	if (v->class->close)
		v->class->close(v);
	if (v->class->row)
		list_release((struct list_view *)v);
	request_release(&v->request);
	free(v);
}
