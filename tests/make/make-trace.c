/*
 * make-trace - ovni and vartrace traces of any size, always the same
 *
 *	make-trace ovni FOLDER MEGABYTES [THREADS]
 *	make-trace vartrace FILE MEGABYTES
 *
 * ovni: threads that run tasks, with kernel events written late, in sort regions. vartrace: scalars,
 * arrays, texts and subtraces.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ovni_maker.h"
#include "vartrace_maker.h"

static uint64_t
random_number(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *state >> 33;
}

/* A task: scheduler, body, with now and then a pause and kernel events for the time since the last ones. */
static void
ovni_task(struct ovni_maker *m, uint64_t *now, uint64_t *state, uint32_t task, uint64_t *flushed)
{
	uint8_t p[8];
	size_t n = (size_t)(ovni_put(m, ovni_put(m, p, task, 4), task % 4, 4) - p);

	ovni_event(m, "VAs", *now += 40 + random_number(state) % 100, NULL, 0);
	ovni_event(m, "VTc", *now += 20, p, n);
	ovni_event(m, "VAS", *now += 30, NULL, 0);
	ovni_put(m, p + 4, 0, 4);
	ovni_event(m, "VTx", *now += 50, p, n);
	ovni_event(m, "VTe", *now += 200 + random_number(state) % 5000, p, n);
	if (task % 200)
		return;
	ovni_event(m, "OU[", *now += 10, NULL, 0);
	for (uint64_t at = *flushed; at + 2000 < *now; at += (*now - *flushed) / 8 + 1) {
		ovni_event(m, "KCO", at, NULL, 0);
		ovni_event(m, "KCI", at + 1000, NULL, 0);
	}
	ovni_event(m, "OU]", *now += 10, NULL, 0);
	*flushed = *now;
}

static int
make_ovni(const char *folder, long megabytes, int threads)
{
	for (int i = 0; i < threads; i++) {
		uint64_t now = 1000000000 + (uint64_t)i * 10, flushed = now, state = (uint64_t)i + 1;
		struct ovni_maker m;
		char path[4096];
		uint8_t p[16];

		snprintf(path, sizeof path, "%s/loom.node0.sim/proc.100/thread.%d", folder, 100 + i);
		if (!ovni_json(path, "node0.sim", 100, 100 + i, "") || !ovni_begin(&m, path, false))
			return 1;
		ovni_put(&m, ovni_put(&m, ovni_put(&m, p, (uint64_t)i, 4), (uint64_t)-1, 4), 0, 8);
		ovni_event(&m, "OHx", now, p, 16);
		for (uint32_t task = 1; ftell(m.file) < megabytes * 1000000 / threads; task++)
			ovni_task(&m, &now, &state, task, &flushed);
		ovni_event(&m, "OHe", now + 5, NULL, 0);
		if (!ovni_end(&m))
			return 1;
	}
	return 0;
}

static void
vartrace_records(struct vt_maker *m, uint32_t time, uint64_t *state)
{
	uint8_t room[8], text[32];
	size_t at;

	vt_scalar(m, time, time % 100, 5, (int64_t)random_number(state) - 1000000);
	vt_scalar(m, time + 1, 101, 3, -(int64_t)(random_number(state) % 1000));
	vt_record(m, time + 2, 102, 13, vt_double(m, (double)time / 7, room), 8);
	memset(text, 'a' + (int)(time % 26), sizeof text);
	vt_record(m, time + 3, 103, 12, text, random_number(state) % sizeof text);
	at = vt_begin(m, time + 4, 104);
	vt_nested_scalar(m, 1, 6, time);
	vt_nested(m, 2, 13, vt_double(m, 0.5, room), 8);
	vt_end(m, at);
}

static int
make_vartrace(const char *path, long megabytes)
{
	struct vt_maker m = { 0 };
	uint64_t state = 1;
	FILE *f = fopen(path, "wb");
	bool ok = f != NULL;

	for (uint32_t time = 0; ok && ftell(f) < megabytes * 1000000; time += 5) {
		m.n = 0;
		vartrace_records(&m, time, &state);
		ok = fwrite(m.data, 1, m.n, f) == m.n;
	}
	free(m.data);
	return f && fclose(f) == 0 && ok ? 0 : 1;
}

int
main(int argc, char **argv)
{
	int status = 2;

	if (argc >= 4 && strcmp(argv[1], "ovni") == 0)
		status = make_ovni(argv[2], atol(argv[3]), argc > 4 && atoi(argv[4]) > 0 ? atoi(argv[4]) : 8);
	else if (argc == 4 && strcmp(argv[1], "vartrace") == 0)
		status = make_vartrace(argv[2], atol(argv[3]));
	if (status == 2)
		fprintf(stderr, "usage: make-trace ovni FOLDER MEGABYTES [THREADS]\n"
			"       make-trace vartrace FILE MEGABYTES\n");
	else if (status)
		perror(argv[2]);
	return status;
}
