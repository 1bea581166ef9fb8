/*
 * timeline.c - all events of all streams in time order, losses and damage in their place
 *
 *	cc timeline.c $(pkg-config --cflags --libs libtnav) -o timeline && ./timeline TRACE [PATH-OF-FIELD]
 *
 * The third way of iterating: over the events of a trace. With a path, "event.fields.id" or just "id",
 * prints that field of every event that has it.
 */
#include <inttypes.h>
#include <stdio.h>

#include <tnav/cursor.h>

static int
fail(const struct tn_error *err)
{
	fprintf(stderr, "timeline: %s\n", err->text);
	return 1;
}

static void
show_value(const struct tn_value *value)
{
	const char *label = tn_value_label(value);
	const void *bytes;
	uint64_t u;
	int64_t i;
	double f;
	size_t n;

	if (label)
		printf("  %s", label);
	else if (tn_value_u64(value, &u) == TN_OK)
		printf("  %" PRIu64, u);
	else if (tn_value_i64(value, &i) == TN_OK)
		printf("  %" PRId64, i);
	else if (tn_value_double(value, &f) == TN_OK)
		printf("  %g", f);
	else if (tn_type_kind(tn_value_type(value)) == TN_KIND_STRING && tn_value_bytes(value, &bytes, &n) == TN_OK)
		printf("  \"%.*s\"", (int)n, (const char *)bytes);
	else
		printf("  (%s)", tn_kind_name(tn_type_kind(tn_value_type(value))));
}

int
main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : ".", *wanted = argc > 2 ? argv[2] : NULL;
	struct tn_cursor *cursor = NULL;
	struct tn_set *set = NULL;
	struct tn_error err;
	struct tn_row row;
	enum tn_code rc;
	int status = 0;

	if (tn_set_open(&set, &path, 1, NULL, &err) < 0 || tn_cursor_new(&cursor, set, &err) < 0) {
		status = fail(&err);
		goto out;
	}
	for (rc = tn_cursor_first(cursor, &err); rc == TN_OK; rc = tn_cursor_next(cursor, &err)) {
		const struct tn_event *event;
		const struct tn_value *value;

		if (!tn_cursor_row(cursor, &row))
			break;
		if (row.has_time)
			printf("%" PRId64 " ", row.time_ns);
		if (row.kind != TN_ROW_EVENT) {
			printf("(%s)\n", row.text ? row.text : "losses");
			continue;
		}
		if ((rc = tn_cursor_read(cursor, TN_SCOPE_ALL, &event, &err)) < 0)
			break;
		printf("%s", tn_event_name(event) ? tn_event_name(event) : "<unknown>");
		value = wanted ? tn_event_find(event, wanted) : NULL;
		if (value)
			show_value(value);
		putchar('\n');
	}
	if (rc < 0)
		status = fail(&err);
out:
	tn_cursor_free(cursor);
	tn_set_close(set);
	return status;
}
