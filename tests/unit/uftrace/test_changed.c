/* A file that another program writes over while it is read. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../make/ovni_maker.h"
#include "../ovni/rows.h"
#include "uftrace/uftrace.h"

Test(uftrace, file_that_has_changed)
{
	static const char info[] = "Ftrace!\0\4\0\0\0\x28\0\1\2\x7b\7\0\0\0\0\0\0\xff\x3f\0\0\0\0\0\0\0\4\0\0\0\0\0\0exename:/bin/prog\n";
	static const char data[] = "\xe8\xcd\x9a\x3b\0\0\0\0\x28\0\2\x11\0\0\0\0\xf2\xcd\x9a\x3b\0\0\0\0\x29\0\2\x11\0\0\0";
	char folder[] = "uftrace-test-XXXXXX", path[64], command[64];
	struct tn_event e = { 0 };
	struct tn_batch b = { 0 };
	struct rows r = { 0 };
	struct tn_stream *s;
	int fd;

	cr_assert(mkdtemp(folder));
	cr_assert(maker_file(folder, "info", info, sizeof info - 1));
	cr_assert(maker_file(folder, "10.dat", data, sizeof data));
	rows_read(&r, &tn_format_uftrace, folder);
	cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
	cr_assert_eq(r.n_events, 2);
	s = r.trace.stream[0];
	b.stream = s;
	b.entry = s->index.packet[0];
	b.data = s->file[0].map.data;
	b.begin = (struct tn_mark) { .clock = b.entry.clock_start, .key = b.entry.begin_ns };
	cr_assert_eq(tn_format_uftrace.walk(&b, &r.err), TN_OK, "%s", r.err.text);
	cr_assert_eq(tn_format_uftrace.read(&b, 1, TN_SCOPE_SHOWN, &e, &r.err), TN_OK, "%s", r.err.text);

	snprintf(path, sizeof path, "%s/10.dat", folder);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	cr_assert_eq(pwrite(fd, "no record's mark", 16, 16), 16);
	close(fd);
	cr_assert_eq(tn_format_uftrace.read(&b, 1, TN_SCOPE_SHOWN, &e, &r.err), TN_ERR_FORMAT);
	cr_assert(strstr(r.err.text, "10.dat: packet 0: the file has changed"), "%s", r.err.text);

	tn_event_release(&e);
	tn_batch_release(&b);
	rows_release(&r);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_assert_eq(system(command), 0);
}
