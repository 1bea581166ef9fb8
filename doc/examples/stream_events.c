/*
 * stream_events.c - the events of each stream, packet by packet or without regard to packets
 *
 *	cc stream_events.c $(pkg-config --cflags --libs libtnav) -o stream_events && ./stream_events TRACE
 *
 * The second way of iterating: over the events of a packet, and over those of a stream. Both must find
 * the same number; prints how often each event class occurs and where arrays were the longest.
 */
#include <inttypes.h>
#include <stdio.h>

#include <tnav/iterate.h>

static int
fail(const struct tn_error *err)
{
	fprintf(stderr, "stream_events: %s\n", err->text);
	return 1;
}

/* The most elements an array anywhere inside @value has. */
static size_t
longest_array(const struct tn_value *value)
{
	const struct tn_value *inside;
	size_t most = 0;

	if (tn_type_kind(tn_value_type(value)) == TN_KIND_ARRAY)
		most = tn_value_count(value);
	for (inside = tn_value_first(value); inside; inside = tn_value_after(value, inside)) {
		size_t n = longest_array(inside);

		if (n > most)
			most = n;
	}
	return most;
}

/* Count what the packets of @stream hold. */
static enum tn_code
count_by_packets(struct tn_reader *reader, const struct tn_stream *stream, uint64_t *n, struct tn_error *err)
{
	struct tn_packet_iter packet;
	struct tn_event_iter at;
	enum tn_code rc, inner;

	*n = 0;
	for (rc = tn_packet_iter_begin(stream, &packet, err); rc == TN_OK; rc = tn_packet_iter_next(&packet, err)) {
		for (inner = tn_event_iter_begin_packet(reader, &packet, &at, err); inner == TN_OK;
		     inner = tn_event_iter_next_in_packet(reader, &at, err))
			++*n;
		if (inner < 0)
			return inner;
	}
	return rc;
}

static int
show_stream(struct tn_reader *reader, const struct tn_stream *stream)
{
	const struct tn_trace *trace = tn_stream_trace(stream);
	uint64_t n = 0, by_packets;
	size_t longest = 0;
	struct tn_event_iter at;
	struct tn_error err;
	enum tn_code rc;

	for (rc = tn_event_iter_begin(reader, stream, &at, &err); rc == TN_OK;
	     rc = tn_event_iter_next(reader, &at, &err)) {
		const struct tn_event *event;
		const struct tn_value *payload;
		size_t most;

		if (tn_event_iter_read(reader, &at, TN_SCOPE_BIT(TN_SCOPE_PAYLOAD), &event, &err) < 0)
			return fail(&err);
		payload = tn_event_scope(event, TN_SCOPE_PAYLOAD);
		most = payload ? longest_array(payload) : 0;
		if (most > longest)
			longest = most;
		n++;
	}
	if (rc < 0 || count_by_packets(reader, stream, &by_packets, &err) < 0)
		return fail(&err);
	printf("%s: %" PRIu64 " events, %" PRIu64 " by packets, of %zu classes; longest array %zu\n",
	       tn_stream_name(stream), n, by_packets, tn_trace_event_class_count(trace), longest);
	return n != by_packets;
}

int
main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : ".";
	struct tn_reader *reader = NULL;
	struct tn_set *set = NULL;
	struct tn_error err;
	int status = 0;

	if (tn_set_open(&set, &path, 1, NULL, &err) < 0 || tn_reader_new(&reader, &err) < 0)
		status = fail(&err);
	for (size_t i = 0; !status && i < tn_set_stream_count(set); i++)
		status = show_stream(reader, tn_set_stream(set, i));
	tn_reader_free(reader);
	tn_set_close(set);
	return status;
}
