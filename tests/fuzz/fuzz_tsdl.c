/*
 * fuzz_tsdl [-n ROUNDS] [-s SEED] FILE... - build models of broken metadata
 *
 * Takes each file as it is, cut at every so many bytes, and in ROUNDS mutated forms: bytes changed,
 * pieces removed, doubled, taken from another file, words of the language put in. Nothing is compared:
 * the library must not crash, hang or read what is not there, which sanitizers see. A model that is
 * built is walked through. The same arguments do the same.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctf/metadata.h"
#include "ctf/tsdl.h"
#include "model/decoder.h"

struct text {
	uint8_t *bytes;
	size_t n;
};

static struct text seeds[256];
static size_t n_seeds;
static uint64_t state = 1;

static uint32_t
random_below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 11) % n);
}

static const char *const words[] = {
	"{", "}", ";", ";", ":=", "=", "[", "]", "<", ">", "...", ".", "->", ",", ":", "*", "(", ")", "//", "/*", "*/", "\"", "'",
	"\\", "struct ", "variant ", "enum ", "enum : integer { size = 8; } { A, B } ", "integer { size = 8; } ",
	"integer { size = 64; signed = true; map = clock.c.value; } ", "floating_point { exp_dig = 8; mant_dig = 24; } ",
	"string ", "typealias ", "typedef ", "trace ", "stream ", "event ", "env ", "clock ", "callsite ", "align(8) ",
	"trace.packet.header.", "stream.packet.context.", "stream.event.header.", "stream.event.context.", "event.context.",
	"event.fields.", "env.", "0", "1", "-1", "18446744073709551615", "0xFFFFFFFF", "[18446744073709551615]", "uint8_t ",
	"timestamp", "id", "packet_size", "magic", "uuid", "size = ", "align = ", "const ", "int ", "_", "\n",
};

static void
splice(struct text *t, size_t at, size_t drop, const void *bytes, size_t n)
{
	uint8_t *out;

	if (drop > t->n - at)
		drop = t->n - at;
	out = malloc(t->n - drop + n + 1);
	memcpy(out, t->bytes, at);
	memcpy(out + at, bytes, n);
	memcpy(out + at + n, t->bytes + at + drop, t->n - at - drop);
	free(t->bytes);
	t->bytes = out;
	t->n = t->n - drop + n;
}

static void
mutate(struct text *t)
{
	size_t at = random_below((uint32_t)t->n + 1);
	const struct text *other = &seeds[random_below((uint32_t)n_seeds)];
	const char *word = words[random_below(sizeof words / sizeof *words)];
	uint8_t byte = (uint8_t)random_below(256), *copy;
	size_t n = random_below(64), from = random_below((uint32_t)other->n + 1);

	switch (random_below(6)) {
	case 0:
		splice(t, at, 1, &byte, 1);
		break;
	case 1:
		splice(t, at, n, "", 0);
		break;
	case 2:
	case 3:
		splice(t, at, random_below(8), word, strlen(word));
		break;
	case 4:
		if (n > other->n - from)
			n = other->n - from;
		splice(t, at, random_below(16), other->bytes + from, n);
		break;
	case 5:		/* the same piece many times: depth, duplicates */
		if (n > t->n - at)
			n = t->n - at;
		copy = malloc(n + 1);
		memcpy(copy, t->bytes + at, n);
		for (uint32_t k = random_below(40); k; k--)
			splice(t, at, 0, copy, n);
		free(copy);
		break;
	}
}

static uint64_t
walk(const struct tn_field *f)
{
	char path[100];
	uint64_t sum = f->type->summary.min_bits + strlen(f->name) + strlen(f->label) + f->id;

	if (f->type->ref_slot != TN_NO_SLOT)
		sum += strlen(f->type->ref_path);
	for (size_t i = 0; i < f->type->n_mappings; i++)
		sum += strlen(f->type->mapping[i].label) + f->type->mapping[i].range[f->type->mapping[i].n_ranges - 1].upper;
	sum += strlen(tn_field_path(f, "", path, sizeof path));
	for (size_t i = 0; i < f->type->n_fields; i++)
		sum += walk(&f->type->field[i]);
	return sum;
}

static void
tell(void *user, const struct tn_problem *problem)
{
	*(uint64_t *)user += strlen(problem->text);
}

static bool
build(const uint8_t *bytes, size_t n, uint64_t *sum)
{
	struct tn_trace trace = { .path = "fuzz", .problems = { tell, sum } };
	uint8_t *copy = malloc(n + 1);	/* a block of its own: the bytes after it are not ours */
	struct tn_ctf_metadata m;
	struct tn_error err;
	bool ok = false;

	memcpy(copy, bytes, n);
	if (tn_ctf_metadata_unpack(&m, copy, n, false, "fuzz", &trace.problems, &err) >= 0 && m.language == TN_CTF_TSDL) {
		/* Without the NUL after it. */
		char *text = memcpy(malloc(m.n + (m.n == 0)), m.text, m.n);

		ok = tn_tsdl_build(&trace, text, m.n, &err) >= 0;
		if (!ok)
			*sum += strlen(err.text);
		free(text);
	}
	for (size_t i = 0; ok && i < trace.n_event_classes; i++)
		for (int s = 0; s < TN_SCOPES; s++) {
			const struct tn_field *f = tn_event_class_scope(trace.event_class[i], (enum tn_scope)s);

			*sum += f ? walk(f) : 0;
		}
	tn_ctf_metadata_release(&m);
	tn_trace_release(&trace);
	free(copy);
	return ok;
}

static bool
load(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct text *t = &seeds[n_seeds];

	if (!f || n_seeds == sizeof seeds / sizeof *seeds)
		return false;
	t->bytes = malloc(1 << 20);
	t->n = fread(t->bytes, 1, 1 << 20, f);
	fclose(f);
	n_seeds++;
	return t->n > 0;
}

int
main(int argc, char **argv)
{
	unsigned long rounds = 300, good = 0, all = 0;
	uint64_t sum = 0;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-n") && i + 1 < argc)
			rounds = strtoul(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "-s") && i + 1 < argc)
			state = strtoull(argv[++i], NULL, 10) * 2 + 1;
		else if (!load(argv[i]))
			return fprintf(stderr, "fuzz_tsdl: %s: cannot be read\n", argv[i]), 2;
	}
	if (!n_seeds)
		return fprintf(stderr, "fuzz_tsdl: no file\n"), 2;
	for (size_t i = 0; i < n_seeds; i++)
		for (size_t n = 0; n <= seeds[i].n; n += 1 + seeds[i].n / 400)
			build(seeds[i].bytes, n, &sum);
	for (unsigned long r = 0; r < rounds; r++) {
		const struct text *seed = &seeds[random_below((uint32_t)n_seeds)];
		struct text t = { memcpy(malloc(seed->n + 1), seed->bytes, seed->n), seed->n };

		for (uint32_t k = random_below(3) ? 1 : 1 + random_below(4); k; k--)
			mutate(&t);
		good += build(t.bytes, t.n, &sum);
		all++;
		free(t.bytes);
	}
	for (size_t i = 0; i < n_seeds; i++)
		free(seeds[i].bytes);
	printf("%lu of %lu mutated texts were built (%016llx)\n", good, all, (unsigned long long)sum);
	return 0;
}
