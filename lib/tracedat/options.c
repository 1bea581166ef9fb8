/* options.c - options of a trace.dat (tracedat.md, "Options in both versions") */
#include <string.h>

#include "tracedat/file.h"

enum {
	DATE = 1, STATISTICS = 2, CLOCK = 4, UNAME = 5, OFFSET = 7, CPU_COUNT = 8, VERSION = 9, TRACE_ID = 11, TIME_SHIFT = 12,
	GUEST = 13, TSC = 14
};

#define INTERPOLATE 1	/* flag of TIME_SHIFT */
#define MOST_LINES 65536	/* limit of statistics, and of guests */

/* The option as a text: it ends at its NUL, and loses the newlines at its end. */
static const char *
text_of(struct tn_dat_file *f, struct tn_dat_part part)
{
	size_t n = part.size ? strnlen((const char *)part.p, (size_t)part.size) : 0;
	const char *copy;

	while (n && (part.p[n - 1] == '\n' || part.p[n - 1] == ' '))
		n--;
	copy = tn_arena_copy(&f->trace->arena, (const char *)part.p, n);
	f->no_memory |= !copy;
	return copy ? copy : "";
}

const char *
tn_dat_chosen_clock(struct tn_dat_file *f, const char *text)
{
	const char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
	const char *clock;

	if (!close)
		return *text && !strchr(text, ' ') ? text : "local";
	clock = tn_arena_copy(&f->trace->arena, open + 1, (size_t)(close - open - 1));
	f->no_memory |= !clock;
	return clock ? clock : "local";
}

static void
add_text(struct tn_dat_file *f, const char *text, bool guest)
{
	const char **one;

	if ((guest ? f->guests.n : f->statistics.n) >= MOST_LINES)
		return;
	one = guest ? TN_ARRAY_ADD(&f->guests) : TN_ARRAY_ADD(&f->statistics);
	f->no_memory |= !one;
	if (one)
		*one = text;
}

/* Read the samples of a processor: a list of times, then lists of offsets and scalings. */
static bool
read_samples(struct tn_dat_file *f, struct tn_dat_in *in, struct tn_dat_shift *shift)
{
	uint64_t n = tn_dat_number(in, 4);

	if (in->bad || n > (in->size - in->at) / 24)
		return false;
	if (!(shift->sample = TN_NEW_ARRAY(&f->trace->arena, (size_t)n + 1, struct tn_dat_sample))) {
		f->no_memory = true;
		return false;
	}
	shift->n = (size_t)n;
	for (size_t i = 0; i < n; i++)
		shift->sample[i].time = tn_dat_number(in, 8);
	for (size_t i = 0; i < n; i++)
		shift->sample[i].offset = (int64_t)tn_dat_number(in, 8);
	for (size_t i = 0; i < n; i++)
		shift->sample[i].scaling = (int64_t)tn_dat_number(in, 8);
	return !in->bad;
}

static void
read_shift(struct tn_dat_file *f, struct tn_dat_part part)
{
	struct tn_dat_in in = { part.p, 0, part.size, f->big_endian, false };
	uint64_t n;

	tn_dat_number(&in, 8);	/* skip the trace id of the peer */
	f->interpolates = tn_dat_number(&in, 4) & INTERPOLATE;
	n = tn_dat_number(&in, 4);
	if (in.bad || n > (in.size - in.at) / 4 || f->shift)
		return;
	if (!(f->shift = TN_NEW_ARRAY(&f->trace->arena, (size_t)n + 1, struct tn_dat_shift))) {
		f->no_memory = true;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (!read_samples(f, &in, &f->shift[i])) {
			tn_tell(&f->trace->problems, TN_DAMAGE,
				"%s: the file does not have all values that convert times of the guest to the host: times of the "
				"guest are shown", f->trace->path);
			return;
		}
	}
	f->n_shifts = (uint32_t)n;
	f->has_shift = n > 0;
	/* Newer writers also record the fractions of the scalings. */
	for (size_t i = 0; i < n && !in.bad && in.at < in.size; i++)
		for (size_t k = 0; k < f->shift[i].n; k++)
			f->shift[i].sample[k].fraction = tn_dat_number(&in, 8);
}

void
tn_dat_option(struct tn_dat_file *f, unsigned id, struct tn_dat_part part)
{
	struct tn_dat_in in = { part.p, 0, part.size, f->big_endian, false };

	switch (id) {
	case DATE: f->date = text_of(f, part); break;
	case OFFSET: f->offset = text_of(f, part); break;
	case CLOCK: f->clocks = text_of(f, part); break;
	case UNAME: f->uname = text_of(f, part); break;
	case VERSION: f->writer = text_of(f, part); break;
	case STATISTICS: add_text(f, text_of(f, part), false); break;
	case GUEST: add_text(f, text_of(f, part), true); break;
	case CPU_COUNT: f->machine_cpus = (uint32_t)tn_dat_number(&in, 4); break;
	case TIME_SHIFT: read_shift(f, part); break;
	case TRACE_ID:
		f->id = tn_dat_number(&in, 8);
		f->has_id = !in.bad;
		break;
	case TSC:
		f->tsc_multiplier = (uint32_t)tn_dat_number(&in, 4);
		f->tsc_shift = (uint32_t)tn_dat_number(&in, 4);
		f->has_tsc = !in.bad && f->tsc_shift < 128;
		break;
	default:
		break;
	}
}
