#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "jumps.h"

#define AT_ONCE_NS 25000000	/* users do not notice such a short time */

void
jumps_remember(struct jumps *j, const struct session *s)
{
	if (!s->here.has_row)
		return;
	if (j->at < j->n)	/* forget the places ahead */
		j->n = j->at;
	if (j->n && tn_location_compare(&j->place[j->n - 1], &s->here.row.location) == 0) {
		j->at = j->n;
		return;
	}
	if (j->n == JUMPS)
		memmove(j->place, j->place + 1, --j->n * sizeof *j->place);
	j->place[j->n++] = s->here.row.location;
	j->at = j->n;
}

bool
jumps_back(struct jumps *j, const struct session *s, uint64_t count, struct tn_location *out)
{
	size_t at = j->at;

	if (!at)
		return false;
	if (at == j->n) {	/* keep the current place, so that the user can return to it */
		jumps_remember(j, s);
		at = j->n - 1;
		if (!at && !tn_location_compare(&j->place[0], &s->here.row.location))
			return false;
	}
	j->at = at > count ? at - (size_t)count : 0;
	if (j->at == at && at > 0)
		j->at--;
	*out = j->place[j->at];
	return true;
}

bool
jumps_forward(struct jumps *j, uint64_t count, struct tn_location *out)
{
	if (j->at + 1 >= j->n)
		return false;
	j->at = count < j->n - 1 - j->at ? j->at + (size_t)count : j->n - 1;
	*out = j->place[j->at];
	return true;
}

static int64_t
time_of(const struct place *place)
{
	switch (place->kind) {
	case PLACE_TIME: return place->time_ns;
	case PLACE_LOCATION: return place->location.time_ns;
	case PLACE_END: return INT64_MAX;
	default: return INT64_MIN;
	}
}

bool
jumps_reach(const struct session *s, const struct place *place)
{
	int64_t time_ns = place ? time_of(place) : INT64_MAX;
	struct tn_error err;

	/* True also for an error in a stream; the code that jumps there reports it. */
	return s->traces.indexed || time_ns == INT64_MIN || tn_set_index_to(s->traces.set, time_ns, AT_ONCE_NS, &err) != TN_OK;
}

bool
jumps_forget_later(struct jumps *j)
{
	bool was = j->later.is;

	free(j->later.text);
	j->later.text = NULL;
	j->later.is = false;
	return was;
}

void
jumps_wait(struct jumps *j, const struct place *place, enum align align, unsigned since)
{
	jumps_forget_later(j);
	j->later.is = true;
	j->later.place = *place;
	j->later.align = align;
	j->later.since = since;
}

void
jumps_wait_text(struct jumps *j, const char *text, unsigned since)
{
	jumps_forget_later(j);
	j->later.since = since;
	j->later.is = (j->later.text = strdup(text)) != NULL;
}

int64_t
jumps_later_time(const struct jumps *j)
{
	return j->later.is && !j->later.text ? time_of(&j->later.place) : INT64_MAX;
}

void
jumps_shift(struct jumps *j, const int64_t *by, size_t n)
{
	for (size_t i = 0; i < j->n; i++)
		if (j->place[i].stream < n)
			j->place[i].time_ns = (int64_t)((uint64_t)j->place[i].time_ns + (uint64_t)by[j->place[i].stream]);
}
