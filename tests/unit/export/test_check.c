#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/tnav.h>

#include "../../make/drafting.h"
#include "export/export.h"

static char folder[] = "/tmp/tnav-check-XXXXXX";
static struct tn_error err;

static bool
is_full(void *user)
{
	return *(bool *)user;
}

/* Three events at 100, 200 and 300 ns, with 5 more lost after the first. */
static void
write_trace(void)
{
	static bool full;
	struct tn_output_stream file = { TN_OUTPUT_STREAM, .name = "s", .is_full = is_full, .user = &full, .packet_size = 128 };
	struct tn_datum x = tn_datum_u(5);
	struct tn_packet_writer *packet;
	struct tn_trace_writer *w;
	struct tn_stream_class *sc;
	struct tn_event_class *event;
	struct tn_draft *d;

	cr_assert(mkdtemp(folder));
	check(tn_draft_new(&d, NULL, &err), &err);
	sc = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .clock = tn_draft_clock(d, "c", 1000000000, 0, 0, true) });
	event = tn_draft_event_class(d, sc, "e", -1, NULL,
				     structure(d, 1, (const char *[]) { "x" }, (struct tn_type *[]) { tn_draft_array(d, 40, tn_draft_uint(d, 8, 0, 10)) }));
	check(tn_draft_finish(d, &err), &err);
	check(tn_trace_writer_new(&w, folder, d, TN_METADATA_CTF_1_8, &err), &err);
	check(tn_trace_writer_stream(w, sc, &file, &packet, &err), &err);
	x = tn_datum_bytes("0123456789012345678901234567890123456789", 40);
	check(tn_packet_writer_event_at(packet, 100, event, &x, 1, &err), &err);
	full = true;
	for (unsigned i = 0; i < 5; i++)
		check(tn_packet_writer_event_at(packet, 150, event, &x, 1, &err), &err);
	full = false;
	check(tn_packet_writer_event_at(packet, 200, event, &x, 1, &err), &err);
	check(tn_packet_writer_event_at(packet, 300, event, &x, 1, &err), &err);
	check(tn_trace_writer_finish(w, &err), &err);
	tn_trace_writer_free(w);
	tn_draft_free(d);
}

/* The data read back must be those written, in every number. */
Test(export_check, what_is_not_as_it_was_written)
{
	static const struct { struct tn_export_sum sum; uint64_t events; const char *text; } rows[] = {
		{ { .lost_events = 5, .has_time = true, .first_ns = 100, .first_key = 100, .last_ns = 300, .last_key = 300 }, 3, NULL },
		{ { .lost_events = 5, .has_time = true, .first_ns = 100, .first_key = 100, .last_ns = 200, .last_key = 200, .some_whole = true, .bound_ns = 400 }, 3, NULL },
		{ { .lost_events = 5, .has_time = true, .first_ns = 100, .first_key = 100, .last_ns = 300, .last_key = 300 }, 4, "has 3 events instead of 4" },
		{ { .lost_events = 4, .has_time = true, .first_ns = 100, .first_key = 100, .last_ns = 300, .last_key = 300 }, 3, "has 5 lost events instead of 4: tnav removed it. This is a bug of tnav: please report it" },
		{ { .lost_events = 5, .lost_packets = 1, .has_time = true, .first_ns = 100, .first_key = 100, .last_ns = 300, .last_key = 300 }, 3, "has 0 lost packets instead of 1" },
		{ { .lost_events = 5, .unknown = 1, .has_time = true, .first_ns = 100, .first_key = 100, .last_ns = 300, .last_key = 300 }, 3, "has 0 losses of unknown size" },
		{ { .lost_events = 5, .has_time = true, .first_ns = 101, .first_key = 101, .last_ns = 300, .last_key = 300 }, 3, "is from 100 to 300 ns instead of 101 to 300: tnav removed it. This is a bug of tnav: please report it" },
		{ { .lost_events = 5, .has_time = true, .first_ns = 100, .first_key = 100, .last_ns = 299, .last_key = 299 }, 3, "is from 100 to 300 ns instead of 100 to 299" },
		{ { .lost_events = 5, .has_time = true, .first_ns = 100, .first_key = 100, .last_ns = 200, .last_key = 200, .some_whole = true, .bound_ns = 299 }, 3, "is from" },
		{ { .lost_events = 5 }, 3, "is from" },
	};
	const char *path = folder;
	struct tn_set *set;
	char command[128];

	write_trace();
	check(tn_set_open(&set, &path, 1, NULL, &err), &err);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_export_options options = { TN_EXPORT_OPTIONS };
		struct tn_sink sink = { .events = rows[i].events };
		struct tn_export_stream stream = { .sink = &sink, .sum = rows[i].sum };
		struct tn_export x = {
			.set = set, .options = &options, .folder = { .path = folder }, .inside = (char *)"", .final = (char *)"out", .stream = &stream,
		};

		cr_expect_eq(tn_export_check(&x, &err), rows[i].text ? TN_ERR_FORMAT : TN_OK, "row %zu: %s", i, err.text);
		if (rows[i].text)
			cr_expect(strstr(err.text, rows[i].text), "row %zu: '%s'", i, err.text);
	}
	tn_set_close(set);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_assert_eq(system(command), 0);
}
