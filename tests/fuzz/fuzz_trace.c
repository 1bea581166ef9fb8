/*
 * fuzz_trace [-n ROUNDS] [-s SEED] [-r ROUND] [-k FOLDER] [-v] TRACE... - read broken traces in all ways
 *
 * A TRACE is a trace folder, a trace file, or a golden case (*.tnt), of which the files are taken. Each
 * round takes one, breaks some of its files (bits, bytes, words, pieces removed, doubled, moved, ends cut,
 * files emptied or gone), and opens it. The library must not crash or hang, which sanitizers and an alarm
 * see, and what it says must agree with itself:
 *
 *   - going back shows the rows of going forward in reverse, and a row is found again by its location;
 *   - all rows that are events can be read, and can be printed;
 *   - the general and the direct path print the same, one thread and several print the same;
 *   - counting counts the events there are.
 *
 * A round depends on the seed and its number alone: -r does one of them again, -k keeps its files.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tnav/query.h>

#define MAX_FILES 64
#define MAX_TRACES 1024
#define MAX_ROWS 3000
#define MAX_SIZE (4u << 20)

struct file {
	char *name;		/* below the folder */
	uint8_t *bytes;
	size_t n;
};

struct seed {
	const char *path;
	struct file file[MAX_FILES];
	size_t n;
};

static struct seed *seeds;
static size_t n_seeds;
static uint64_t state;
static char work[4096];
static bool verbose;
static unsigned long round_now, faults;

/* ---- chance ---- */

static uint64_t
random_word(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static size_t
random_below(size_t n)
{
	return n ? (size_t)(random_word() % n) : 0;
}

/* ---- files ---- */

static struct file *
add_file(struct seed *s, const char *name, const uint8_t *bytes, size_t n)
{
	struct file *f = &s->file[s->n];

	if (s->n == MAX_FILES)
		return NULL;
	s->n++;
	f->name = strdup(name);
	f->bytes = malloc(n + 1);
	if (n)
		memcpy(f->bytes, bytes, n);
	f->bytes[n] = 0;
	f->n = n;
	return f;
}

static uint8_t *
slurp(const char *path, size_t *n)
{
	uint8_t *bytes = malloc(MAX_SIZE + 1);
	FILE *f = fopen(path, "rb");

	*n = f ? fread(bytes, 1, MAX_SIZE, f) : 0;
	bytes[*n] = 0;
	if (f)
		fclose(f);
	return bytes;
}

static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void
load_folder(struct seed *s, const char *root, const char *below)
{
	char folder[3000];
	struct dirent **entry;
	int n;

	snprintf(folder, sizeof folder, "%s%s%s", root, *below ? "/" : "", below);
	n = scandir(folder, &entry, NULL, by_name);
	for (int i = 0; i < n; i++) {
		char name[2000], path[5100];
		struct stat st;

		snprintf(name, sizeof name, "%s%s%s", below, *below ? "/" : "", entry[i]->d_name);
		snprintf(path, sizeof path, "%s/%s", root, name);
		if (entry[i]->d_name[0] != '.' && stat(path, &st) == 0) {
			if (S_ISDIR(st.st_mode)) {
				load_folder(s, root, name);
			} else if (S_ISREG(st.st_mode)) {
				size_t size;
				uint8_t *bytes = slurp(path, &size);

				add_file(s, name, bytes, size);
				free(bytes);
			}
		}
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
}

/* One line of hex bytes and "text" of a golden case. */
static void
add_hex(struct file *f, const char *line)
{
	bool text = false;

	for (const char *p = line; *p && *p != '\n'; p++) {
		unsigned byte;

		if (*p == '"') {
			text = !text;
		} else if (text) {
			if (*p == '\\' && p[1])
				byte = *++p == '0' ? 0 : *p == 'n' ? '\n' : (unsigned char)*p;
			else
				byte = (unsigned char)*p;
			f->bytes = realloc(f->bytes, f->n + 2);
			f->bytes[f->n++] = (uint8_t)byte;
		} else if (*p == '#') {
			break;
		} else if (*p == '*' && f->n) {
			size_t more = strtoul(p + 1, NULL, 10);

			more = more ? (more - 1) % 100000 : 0;
			f->bytes = realloc(f->bytes, f->n + more + 1);
			memset(f->bytes + f->n, f->bytes[f->n - 1], more);
			f->n += more;
			while (p[1] >= '0' && p[1] <= '9')
				p++;
		} else if (sscanf(p, "%2x", &byte) == 1 && *p != ' ' && *p != '|') {
			f->bytes = realloc(f->bytes, f->n + 2);
			f->bytes[f->n++] = (uint8_t)byte;
			p++;
		}
	}
}

static void
load_case(struct seed *s, char *text)
{
	struct file *f = NULL;
	bool hex = false, fragments = false;

	for (char *line = text, *end; *line; line = end) {
		char name[300] = "metadata";

		end = strchr(line, '\n');
		end = end ? end + 1 : line + strlen(line);
		if (strncmp(line, "%% ", 3) == 0) {
			hex = sscanf(line, "%%%% stream %299s", name) == 1 || sscanf(line, "%%%% hex %299s", name) == 1;
			fragments = strncmp(line, "%% fragments", 12) == 0;
			f = NULL;
			if (hex || fragments || strncmp(line, "%% metadata", 11) == 0 || sscanf(line, "%%%% file %299s", name) == 1)
				f = add_file(s, name, NULL, 0);
		} else if (f && hex) {
			add_hex(f, line);
		} else if (f) {
			f->bytes = realloc(f->bytes, f->n + (size_t)(end - line) + 2);
			if (fragments && *line == '{')
				f->bytes[f->n++] = 0x1e;
			memcpy(f->bytes + f->n, line, (size_t)(end - line));
			f->n += (size_t)(end - line);
		}
	}
}

static bool
load(const char *path)
{
	struct seed *s = &seeds[n_seeds];
	size_t length = strlen(path);
	struct stat st;

	if (n_seeds == MAX_TRACES || stat(path, &st) < 0)
		return false;
	s->path = path;
	if (S_ISDIR(st.st_mode)) {
		load_folder(s, path, "");
	} else {
		size_t n;
		uint8_t *bytes = slurp(path, &n);

		if (length > 4 && strcmp(path + length - 4, ".tnt") == 0)
			load_case(s, (char *)bytes);
		else
			add_file(s, "trace", bytes, n);
		free(bytes);
	}
	n_seeds += s->n > 0;
	return true;
}

static void
write_file(const char *folder, const struct file *f)
{
	char path[6000];
	FILE *out;

	snprintf(path, sizeof path, "%s/%s", folder, f->name);
	for (char *p = path + strlen(folder) + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		mkdir(path, 0777);
		*p = '/';
	}
	out = fopen(path, "wb");
	if (out) {
		fwrite(f->bytes, 1, f->n, out);
		fclose(out);
	}
}

static void
remove_folder(const char *path)
{
	struct dirent **entry;
	int n = scandir(path, &entry, NULL, by_name);

	for (int i = 0; i < n; i++) {
		char below[6000];
		struct stat st;

		snprintf(below, sizeof below, "%s/%s", path, entry[i]->d_name);
		if (strcmp(entry[i]->d_name, ".") && strcmp(entry[i]->d_name, "..") && lstat(below, &st) == 0) {
			if (S_ISDIR(st.st_mode))
				remove_folder(below);
			else
				unlink(below);
		}
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	rmdir(path);
}

/* ---- breaking ---- */

static void
splice(struct file *f, size_t at, size_t drop, const void *bytes, size_t n)
{
	uint8_t *out;

	if (drop > f->n - at)
		drop = f->n - at;
	out = malloc(f->n - drop + n + 1);
	memcpy(out, f->bytes, at);
	if (n)
		memcpy(out + at, bytes, n);
	memcpy(out + at + n, f->bytes + at + drop, f->n - at - drop);
	free(f->bytes);
	f->bytes = out;
	f->n = f->n - drop + n;
	f->bytes[f->n] = 0;
}

static void
put_number(struct file *f, size_t at)
{
	static const uint64_t odd[] = {
		0, 1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 255, 256, 4095, 4096, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff,
		0x100000000, 0x1fffffffffffffff, 0x2000000000000000, 0x7fffffffffffffff, 0x8000000000000000,
		0xfffffffffffffff8, 0xffffffffffffffff,
	};
	uint64_t number = odd[random_below(sizeof odd / sizeof *odd)];
	size_t size = (size_t)1 << random_below(4);
	bool swap = random_below(3) == 0;
	uint8_t bytes[8];

	for (size_t i = 0; i < size; i++)
		bytes[swap ? size - 1 - i : i] = (uint8_t)(number >> 8 * i);
	splice(f, at, size, bytes, size);
}

static void
break_file(struct file *f)
{
	/* The first bytes of a packet decide more than others. */
	size_t at = random_below(3) ? random_below(f->n + 1) : random_below(f->n < 100 ? f->n + 1 : 100);
	size_t n = 1 + random_below(random_below(3) ? 16 : 300), from = random_below(f->n + 1);
	uint8_t *copy;

	if (at == f->n && at)
		at--;
	switch (random_below(9)) {
	case 0:
	case 1:
		if (f->n)
			f->bytes[at] ^= (uint8_t)(1u << random_below(8));
		break;
	case 2:
		if (f->n)
			f->bytes[at] = (uint8_t)random_word();
		break;
	case 3:
	case 4:
		put_number(f, at);
		break;
	case 5:
		splice(f, at, n, "", 0);
		break;
	case 6:
		splice(f, at, f->n, "", 0);
		break;
	default:	/* a piece from elsewhere, in place or put in between */
		if (n > f->n - from)
			n = f->n - from;
		copy = malloc(n + 1);
		memcpy(copy, f->bytes + from, n);
		splice(f, at, random_below(2) ? n : 0, copy, n);
		free(copy);
		break;
	}
}

static void
break_seed(const struct seed *s, const char *folder)
{
	size_t times = random_below(8) ? 1 + random_below(3) : random_below(40);
	size_t victim[3];

	for (int i = 0; i < 3; i++)
		victim[i] = random_below(s->n);
	mkdir(folder, 0777);
	for (size_t i = 0; i < s->n; i++) {
		const struct file *f = &s->file[i];
		struct file copy = { f->name, malloc(f->n + 1), f->n };
		bool mine = i == victim[0] || (times > 2 && (i == victim[1] || i == victim[2]));

		memcpy(copy.bytes, f->bytes, f->n + 1);
		for (size_t k = mine ? times : 0; k; k--)
			break_file(&copy);
		if (!mine || s->n == 1 || random_below(60))
			write_file(folder, &copy);
		free(copy.bytes);
	}
}

/* ---- reading ---- */

static void __attribute__((format(printf, 1, 2)))
fault(const char *format, ...)
{
	va_list args;

	faults++;
	printf("round %lu: ", round_now);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

static uint64_t
hash(uint64_t h, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	while (n--)
		h = (h ^ *p++) * 0x100000001b3;
	return h;
}

static void
on_problem(void *user, const struct tn_problem *problem)
{
	*(uint64_t *)user = hash(*(uint64_t *)user, problem->text, strlen(problem->text));
}

static void
read_value(const struct tn_value *v, int depth, uint64_t *sum)
{
	const void *bytes;
	uint64_t u;
	int64_t i;
	double d;
	size_t n, members = 0;

	if (tn_value_u64(v, &u) == TN_OK)
		*sum += u;
	if (tn_value_i64(v, &i) == TN_OK)
		*sum += (uint64_t)i;
	if (tn_value_double(v, &d) == TN_OK)
		*sum += d > 0;
	if (tn_value_bytes(v, &bytes, &n) == TN_OK)
		*sum = hash(*sum, bytes, n);
	*sum += tn_value_label_index(v) + tn_value_option(v);
	if (tn_value_end(v) < tn_value_bit(v))
		fault("a value ends at bit %llu and begins at %llu", (unsigned long long)tn_value_end(v),
		      (unsigned long long)tn_value_bit(v));
	for (const struct tn_value *m = tn_value_first(v); m; m = tn_value_after(v, m), members++)
		if (members < 200)
			read_value(m, depth + 1, sum);
	if (members != tn_value_count(v))
		fault("a value has %zu values, not %zu", members, tn_value_count(v));
	if (members && !tn_value_at(v, members - 1))
		fault("a value has no last value");
}

struct row {
	struct tn_location at;
	enum tn_row_kind kind;
	uint64_t sum;
};

struct walk {
	struct tn_set *set;
	struct tn_cursor *cur;
	struct tn_text *text, *general;
	struct row row[MAX_ROWS];
	size_t n;
	bool all;		/* of them: no row is after the last one */
	uint64_t events, lines, problems;
};

static uint64_t
row_sum(struct walk *w, bool check)
{
	struct tn_str line = { 0 }, other = { 0 };
	const struct tn_event *event;
	struct tn_error err;
	struct tn_row row;
	uint64_t sum = 0;

	tn_cursor_row(w->cur, &row);
	if (row.kind != TN_ROW_EVENT) {
		tn_text_notice(w->text, &row, &line);
	} else if (tn_text_line(w->text, w->cur, NULL, &line, &err) < 0) {
		fault("an event has no line: %s", err.text);
	} else if (check) {
		if (tn_text_line(w->general, w->cur, NULL, &other, &err) < 0)
			fault("an event has no line: %s", err.text);
		else if (line.n != other.n || memcmp(line.text, other.text, line.n) != 0)
			fault("two paths print\n%s%s", line.text, other.text);
		else if (line.text[line.n] || other.text[other.n])
			fault("a line does not end with NUL");
		if (tn_cursor_read(w->cur, TN_SCOPE_ALL, &event, &err) < 0)
			fault("an event cannot be read: %s", err.text);
		for (int s = 0; tn_cursor_read(w->cur, TN_SCOPE_ALL, &event, NULL) == TN_OK && s < 6; s++)
			if (tn_event_scope(event, (enum tn_scope)s))
				read_value(tn_event_scope(event, (enum tn_scope)s), 0, &sum);
	}
	sum = hash(1, line.text, line.n);
	tn_str_release(&line);
	tn_str_release(&other);
	return sum;
}

static void
go_forward(struct walk *w)
{
	struct tn_error err;
	enum tn_code rc;
	struct tn_row row;

	for (rc = tn_cursor_first(w->cur, &err); rc == TN_OK && w->n < MAX_ROWS; rc = tn_cursor_next(w->cur, &err)) {
		tn_cursor_row(w->cur, &row);
		if (w->n && tn_location_compare(&w->row[w->n - 1].at, &row.location) >= 0)
			fault("row %zu is not behind the one before", w->n);
		w->row[w->n] = (struct row) { row.location, row.kind, row_sum(w, true) };
		w->events += row.kind == TN_ROW_EVENT;
		w->n++;
	}
	w->all = rc == TN_END;
	if (rc < 0)
		fault("going forward: %s", err.text);
}

static void
compare_row(struct walk *w, size_t i, const char *how)
{
	struct tn_row row;

	if (!tn_cursor_row(w->cur, &row) || tn_location_compare(&row.location, &w->row[i].at) != 0)
		fault("%s: the row is not row %zu (%lld %u %u %llu, not %lld %u %u %llu)", how, i, (long long)row.location.time_ns,
		      row.location.stream, row.location.packet, (unsigned long long)row.location.row,
		      (long long)w->row[i].at.time_ns, w->row[i].at.stream, w->row[i].at.packet,
		      (unsigned long long)w->row[i].at.row);
	else if (row.kind != w->row[i].kind || row_sum(w, false) != w->row[i].sum)
		fault("%s: row %zu has changed", how, i);
}

static void
go_back(struct walk *w)
{
	struct tn_error err;
	enum tn_code rc = w->all ? tn_cursor_last(w->cur, &err) : tn_cursor_restore(w->cur, &w->row[w->n - 1].at, &err);
	unsigned long before = faults;
	size_t i = w->n;

	for (; rc == TN_OK && i && faults == before; rc = tn_cursor_prev(w->cur, &err))
		compare_row(w, --i, "going back");
	if (faults == before && (i || rc != TN_END))
		fault("going back ends with %d at row %zu of %zu%s%s", rc, i, w->n, rc < 0 ? ": " : "", rc < 0 ? err.text : "");
}

/* Places at random, and some steps to and fro from there. */
static void
jump(struct walk *w)
{
	unsigned long before = faults;
	struct tn_error err;

	for (int k = 0; k < 20 && faults == before; k++) {
		size_t i = random_below(w->n), first = i;
		enum tn_code rc;

		if (k % 2) {
			/* The first row at or after the time; rows without a time come before all others. */
			while (first && w->row[first - 1].at.time_ns >= w->row[i].at.time_ns)
				first--;
			rc = tn_cursor_seek(w->cur, w->row[i].at.time_ns, &err);
			i = first;
		} else {
			rc = tn_cursor_restore(w->cur, &w->row[i].at, &err);
		}
		if (rc != TN_OK) {
			fault("a jump to row %zu gives %d: %s", i, rc, rc < 0 ? err.text : "the end");
			break;
		}
		compare_row(w, i, k % 2 ? "seek" : "restore");
		for (size_t steps = random_below(12); steps && faults == before; steps--) {
			bool back = random_below(2);

			rc = back ? tn_cursor_prev(w->cur, &err) : tn_cursor_next(w->cur, &err);
			if (rc == TN_OK && (back ? i == 0 : i + 1 == w->n)) {
				if (back || w->all)
					fault("a step beyond the ends");
				break;
			}
			if (rc == TN_OK)
				i += back ? (size_t)-1 : 1;
			else if (rc < 0 || (back ? i != 0 : i + 1 != w->n))
				fault("a step from row %zu gives %d: %s", i, rc, rc < 0 ? err.text : "the end");
			compare_row(w, i, back ? "a step back" : "a step on");
		}
	}
	(void)!tn_cursor_seek(w->cur, (int64_t)random_word(), &err);
	(void)!tn_cursor_seek(w->cur, INT64_MIN, &err);
	(void)!tn_cursor_seek(w->cur, INT64_MAX, &err);
}

struct scanned {
	uint64_t sum, notices;
};

static int
on_lines(void *user, const char *text, size_t n)
{
	struct scanned *s = user;

	s->sum = hash(s->sum, text, n);
	return 0;
}

static int
on_notice(void *user, const struct tn_row *row)
{
	struct scanned *s = user;

	/* Counting leaves the times aside: it does not see that they go back. */
	s->notices += !row->text || !strstr(row->text, "time goes back by");
	if (row->text)
		s->sum = hash(s->sum, row->text, strlen(row->text));
	return 0;
}

static int
on_counted_notice(void *user, const struct tn_row *row)
{
	*(uint64_t *)user += !row->text || !strstr(row->text, "time goes back by");
	return 0;
}

static void
scan(struct walk *w)
{
	struct scanned out[3] = { { 0 } };
	uint64_t passed[3] = { 0 }, counted = 0, notices = 0;
	int rc[3];
	struct tn_error err;

	for (int i = 0; i < 3; i++) {
		struct tn_scan_options o = {
			TN_SCAN_OPTIONS,
			.text = i == 1 ? w->general : w->text, .threads = i == 2 ? 3 : 1, .lines = on_lines, .notice = on_notice,
			.user = &out[i],
		};

		rc[i] = tn_scan(w->set, &o, &passed[i], &err);
		if (rc[i] < 0)
			fault("a scan fails: %s", err.text);
	}
	for (int i = 1; i < 3; i++)
		if (rc[i] != rc[0] || memcmp(&out[i], &out[0], sizeof out[0]) != 0 || passed[i] != passed[0])
			fault("%s prints other lines", i == 1 ? "the general path" : "a scan with 3 threads");
	if (w->all && passed[0] != w->events)
		fault("a scan finds %llu events, a cursor %llu", (unsigned long long)passed[0], (unsigned long long)w->events);
	rc[1] = tn_count(w->set, &(struct tn_count_options) {
		TN_COUNT_OPTIONS, .threads = 1 + (unsigned)random_below(2), .notice = on_counted_notice, .user = &notices,
	}, &counted, &err);
	if (rc[1] < 0)
		fault("counting fails: %s", err.text);
	else if (counted != passed[0] || notices != out[0].notices)
		fault("%llu events and %llu notices are counted, %llu and %llu are there", (unsigned long long)counted,
		      (unsigned long long)notices, (unsigned long long)passed[0], (unsigned long long)out[0].notices);
}

/* A filter by a word of a line leaves the lines that have it. */
static void
filter(struct walk *w)
{
	static const char *const expression[] = {
		"cpu_id == 0", "a > 1 || b < 1", "msg =~ /a/", "!(x == 1)", "tid >= 0", "value != 0", "name == \"a\"",
	};
	static const char *const regex[] = { "[0-3] }", "a", "^\\[", "x+", "[^ ]{9}" };
	struct tn_filter *filter;
	struct tn_error err;
	struct scanned out = { 0 };
	uint64_t found[2] = { 0 };

	if (tn_filter_new(&filter, w->set, &err) < 0)
		return;
	if (tn_filter_add_regex(filter, regex[random_below(5)], random_below(2), &err) < 0 ||
	    (random_below(2) && tn_filter_add_expression(filter, expression[random_below(7)], &err) < 0 &&
	     err.code != TN_ERR_ARGUMENT))
		fault("a filter cannot be made: %s", err.text);
	for (unsigned i = 0; i < 2; i++) {
		struct tn_scan_options o = { TN_SCAN_OPTIONS, .filter = filter, .text = w->text, .threads = 1 + i, .lines = on_lines, .user = &out,
					     .backward = i == 1 };

		if (i == 1)
			o.lines = NULL;
		if (tn_scan(w->set, &o, &found[i], &err) < 0)
			fault("a filter fails: %s", err.text);
	}
	if (found[0] != found[1])
		fault("a filter leaves %llu events forward and %llu backward", (unsigned long long)found[0],
		      (unsigned long long)found[1]);
	tn_filter_free(filter);
}

/* Calls of --info and the views. */
static uint64_t
look_around(struct tn_set *set)
{
	uint64_t sum = 0;
	char room[200];

	for (size_t i = 0; i < tn_set_trace_count(set); i++) {
		const struct tn_trace *t = tn_set_trace(set, i);

		for (size_t k = 0; k < tn_trace_env_count(t); k++)
			sum += strlen(tn_trace_env_name(t, k)) + strlen(tn_trace_env_value(t, k, room, sizeof room));
		for (size_t k = 0; k < tn_trace_event_class_count(t); k++)
			for (int s = 0; s < 6; s++) {
				const struct tn_field *f = tn_event_class_scope(tn_trace_event_class(t, k), (enum tn_scope)s);

				if (f)
					sum += tn_type_describe(tn_field_type(f), room, sizeof room);
			}
	}
	for (size_t i = 0; i < tn_set_stream_count(set); i++) {
		const struct tn_stream *s = tn_set_stream(set, i);
		struct tn_packet_info info;

		for (size_t k = 0; tn_stream_packet(s, k, &info) == TN_OK; k++) {
			size_t size = 0;
			const uint8_t *bytes = tn_stream_packet_bytes(s, k, &size);

			sum += bytes ? hash(info.sequence, bytes, size < 1000 ? size : 1000) + bytes[size ? size - 1 : 0] : 0;
		}
	}
	return sum;
}

static uint64_t
read_trace(const char *path)
{
	struct tn_open_options options = { TN_OPEN_OPTIONS, .problem = on_problem, .no_index_cache = true, .no_index_files = random_below(3) == 0 };
	struct tn_text_options how = TN_TEXT_OPTIONS_DEFAULT;
	static struct walk w;
	struct tn_error err;
	int64_t begin, end;
	uint64_t sum;

	w.n = 0;
	w.events = w.lines = w.problems = 0;
	options.user = &w.problems;
	if (random_below(20) == 0)
		options.format = (const char *const[]) { "ctf", "ovni", "vartrace", "vartrace-le", "vartrace-be" }[random_below(5)];
	if (tn_set_open(&w.set, &path, 1, &options, &err) < 0) {
		if (verbose)
			printf("round %lu: %s\n", round_now, err.text);
		return hash(3, err.text, err.code == TN_ERR_SYSTEM ? 0 : 1);
	}
	how.utc = true;
	how.fields = TN_FIELDS_ALL;
	how.names = TN_NAMES_ALL;
	how.time = (enum tn_time_format)random_below(5);
	if (tn_cursor_new(&w.cur, w.set, &err) < 0 || tn_text_new(&w.text, w.set, &how, &err) < 0)
		return fault("%s", err.text), 0;
	setenv("TNAV_WAYS", "values", 1);
	if (tn_text_new(&w.general, w.set, &how, &err) < 0)
		return fault("%s", err.text), 0;
	unsetenv("TNAV_WAYS");
	if (random_below(2))
		(void)!tn_set_time_range(w.set, &begin, &end, &err);
	go_forward(&w);
	if (w.n) {
		go_back(&w);
		jump(&w);
	}
	scan(&w);
	filter(&w);
	sum = look_around(w.set);
	for (size_t i = 0; i < w.n; i++)
		sum += w.row[i].sum;
	if (verbose)
		printf("round %lu: %zu rows, %llu events\n", round_now, w.n, (unsigned long long)w.events);
	tn_text_free(w.text);
	tn_text_free(w.general);
	tn_cursor_free(w.cur);
	tn_set_close(w.set);
	return sum;
}

static void
on_signal(int number)
{
	char text[80];
	int n = snprintf(text, sizeof text, "fuzz_trace: round %lu: %s\n", round_now, number == SIGALRM ? "too slow" : "died");

	(void)!write(2, text, (size_t)n);
	abort();
}

static uint64_t
do_round(uint64_t seed, unsigned long number, const char *keep)
{
	char folder[5000], file[10000];
	uint64_t sum;
	const struct seed *s;

	state = seed * 0x2545f4914f6cdd1d + number;
	round_now = number;
	s = &seeds[random_below(n_seeds)];
	snprintf(folder, sizeof folder, "%s", keep ? keep : work);
	break_seed(s, folder);
	if (verbose)
		printf("round %lu: %s\n", number, s->path);
	fflush(stdout);
	alarm(60);
	/* A trace of one file is named itself: tnav does not search a folder for all formats. */
	snprintf(file, sizeof file, "%s/%s", folder, s->file[0].name);
	sum = read_trace(s->n == 1 && strcmp(s->file[0].name, "metadata") != 0 && access(file, R_OK) == 0 ? file : folder);
	alarm(0);
	if (!keep)
		remove_folder(folder);
	return sum;
}

int
main(int argc, char **argv)
{
	unsigned long rounds = 300, first = 0, n = 0;
	const char *keep = NULL, *tmp = getenv("TMPDIR");
	uint64_t seed = 1, sum = 0;
	int c;

	seeds = calloc(MAX_TRACES, sizeof *seeds);
	while ((c = getopt(argc, argv, "n:s:r:k:f:v")) != -1) {
		if (c == 'n')
			rounds = strtoul(optarg, NULL, 10);
		else if (c == 's')
			seed = strtoull(optarg, NULL, 10);
		else if (c == 'r')
			first = strtoul(optarg, NULL, 10), rounds = 1;
		else if (c == 'f')
			first = strtoul(optarg, NULL, 10);
		else if (c == 'k')
			keep = optarg;
		else if (c == 'v')
			verbose = true;
		else
			return 2;
	}
	for (int i = optind; i < argc; i++)
		if (!load(argv[i]))
			return fprintf(stderr, "fuzz_trace: %s: cannot be read\n", argv[i]), 2;
	if (!n_seeds)
		return fprintf(stderr, "fuzz_trace: no trace\n"), 2;
	snprintf(work, sizeof work, "%s/fuzz_trace.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(work))
		return perror("fuzz_trace"), 2;
	signal(SIGALRM, on_signal);
	for (n = 0; n < rounds && faults < 20; n++)
		sum = sum * 31 + do_round(seed, first + n, keep);
	remove_folder(work);
	for (size_t i = 0; i < n_seeds; i++)
		for (size_t k = 0; k < seeds[i].n; k++) {
			free(seeds[i].file[k].name);
			free(seeds[i].file[k].bytes);
		}
	free(seeds);
	printf("%lu rounds of %zu traces, %lu faults (%016llx)\n", n, n_seeds, faults, (unsigned long long)sum);
	return faults > 0;
}
