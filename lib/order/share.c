/* share.c - the share of a set that is before a row, computed from the indices only */
#include <tnav/cursor.h>

#include "index/packet_index.h"

/* The size of the stream's files before the packet. */
static double
bytes_before(const struct tn_stream *s, const struct tn_packet *p)
{
	double bytes = (double)p->offset;

	for (uint32_t i = 0; i < p->file && i < s->n_files; i++)
		bytes += (double)s->file[i].map.size;
	return bytes;
}

/* The share of a packet that is before the location: by rows if the row is in the packet, otherwise by time. */
static double
part_before(const struct tn_packet *p, const struct tn_location *at, bool own)
{
	double part = 0;

	if (own && p->n_events != TN_UNKNOWN && p->n_events > 0)
		part = (double)at->row / (double)p->n_events;
	else if (p->end_ns != INT64_MAX && p->begin_ns != INT64_MIN && p->end_ns > p->begin_ns)
		part = ((double)at->time_ns - (double)p->begin_ns) / ((double)p->end_ns - (double)p->begin_ns);
	return part < 0 ? 0 : part > 1 ? 1 : part;
}

/* False: the index does not contain the location yet. */
static bool
stream_before(struct tn_stream *s, const struct tn_location *at, double *bytes)
{
	bool own = s->rank == at->stream;
	struct tn_packet p;
	size_t i = at->packet;
	enum tn_code rc;

	if (!tn_index_reaches(s, at->time_ns))
		return false;
	if (!own && tn_index_find(s, at->time_ns, &i, NULL) < 0)
		return false;
	rc = tn_index_get(s, i, &p, NULL, NULL);
	if (rc == TN_OK)
		*bytes = bytes_before(s, &p) + part_before(&p, at, own) * (double)(p.size_bits / 8);
	else
		*bytes = (double)s->size;
	if (*bytes > (double)s->size)
		*bytes = (double)s->size;
	return rc >= 0;
}

bool
tn_location_share(const struct tn_set *set, const struct tn_location *at, double *share)
{
	double before = 0, all = 0, bytes;

	if (!set || !at || !share)
		return false;
	for (size_t i = 0; i < set->n_streams; i++) {
		if (!stream_before(set->stream[i], at, &bytes))
			return false;
		before += bytes;
		all += (double)set->stream[i]->size;
	}
	*share = all > 0 ? before / all : 0;
	return true;
}
