/* numbering.c - order the streams of a trace, and number the streams without an id */
#include <stdlib.h>
#include <string.h>

#include "ctf/numbering.h"

void
tn_ctf_number_streams(struct tn_trace *trace)
{
	for (size_t c = 0; c < trace->n_stream_classes; c++) {
		uint64_t next = 0;

		for (size_t i = 0; i < trace->n_streams; i++) {
			struct tn_stream *s = trace->stream[i];

			if (!s->has_instance_id && s->stream_class == trace->stream_class[c])
				s->id = next++;
		}
	}
}

static int
by_path(const void *a, const void *b)
{
	return strcmp((*(struct tn_stream *const *)a)->path, (*(struct tn_stream *const *)b)->path);
}

void
tn_ctf_sort_streams(struct tn_trace *trace)
{
	size_t first = 0;

	while (first < trace->n_streams && trace->stream[first]->index.guard)
		first++;
	if (first < trace->n_streams)
		qsort(trace->stream + first, trace->n_streams - first, sizeof *trace->stream, by_path);
}
