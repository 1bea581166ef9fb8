/* request.c - requests that views make to the app */
#include <config.h>

#include <stdlib.h>

#include "view.h"

void
request_release(struct request *r)
{
	if (r->kind == REQUEST_FILTER || r->kind == REQUEST_EXCLUDE || r->kind == REQUEST_COMMAND || r->kind == REQUEST_COPY ||
	    r->kind == REQUEST_CLOSE_COMMAND)
		free(r->is.text);
	*r = (struct request) { REQUEST_NOTHING };
}

unsigned
view_request(struct view *v, const struct request *request)
{
	request_release(&v->request);
	v->request = *request;
	return VIEW_DONE | VIEW_REQUEST;
}

unsigned
view_request_kind(struct view *v, enum request_kind kind)
{
	return view_request(v, &(struct request) { kind });
}

unsigned
view_request_go(struct view *v, const struct tn_location *at)
{
	return view_request(v, &(struct request) { REQUEST_GO, .is.go.place = { .kind = PLACE_LOCATION, .location = *at } });
}

unsigned
view_request_time(struct view *v, int64_t time_ns)
{
	return view_request(v, &(struct request) { REQUEST_GO, .is.go.place = { .kind = PLACE_TIME, .time_ns = time_ns } });
}

unsigned
view_request_answer(struct view *v)
{
	return view_request(v, &(struct request) { REQUEST_ACT, .is.call = { .action = ACT_ANSWER } });
}

unsigned
view_request_text(struct view *v, enum request_kind kind, char *text)
{
	return text ? view_request(v, &(struct request) { kind, .is.text = text }) : VIEW_DONE;
}
