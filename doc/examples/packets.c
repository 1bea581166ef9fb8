/*
 * packets.c - the packets of every stream: where they lie, what their context holds
 *
 *	cc packets.c $(pkg-config --cflags --libs libtnav) -o packets && ./packets TRACE
 *
 * The first way of iterating: over the packets of a stream. Shows how a variable is found once, by its
 * full name, and then read in each packet.
 */
#include <inttypes.h>
#include <stdio.h>

#include <tnav/iterate.h>

static int
fail(const struct tn_error *err)
{
	fprintf(stderr, "packets: %s\n", err->text);
	return 1;
}

static int
show_stream(struct tn_reader *reader, const struct tn_stream *stream)
{
	const struct tn_field *cpu = tn_stream_find(stream, "packet.context.cpu_id");
	struct tn_packet_iter at;
	struct tn_error err;
	enum tn_code rc;

	printf("%s\n", tn_stream_name(stream));
	for (rc = tn_packet_iter_begin(stream, &at, &err); rc == TN_OK; rc = tn_packet_iter_next(&at, &err)) {
		struct tn_packet_info packet;
		const struct tn_event *context;
		const struct tn_value *value;
		uint32_t number;

		if (tn_packet_iter_info(&at, &packet, &err) < 0 ||
		    tn_packet_iter_read(reader, &at, &context, &err) < 0)
			return fail(&err);
		printf("  packet %zu at byte %" PRIu64 ": %" PRIu64 " of %" PRIu64 " bits", at.packet,
		       packet.offset, packet.content_bits, packet.size_bits);
		/* The value is asked for as a u32: if it did not fit, that would be said, and nothing cut. */
		if (cpu && tn_event_value(context, cpu, &value) == TN_OK && tn_value_u32(value, &number) == TN_OK)
			printf(", cpu %" PRIu32, number);
		putchar('\n');
	}
	return rc == TN_END ? 0 : fail(&err);
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
