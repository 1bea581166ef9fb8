/* ust_load REQUESTS: record with LTTng-UST, from two threads; prints what an event costs */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "ust_load.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t requests;

static void *
work(void *arg)
{
	static const uint32_t items[4] = { 0, 1000, 2000, 3000 };
	char path[40];

	(void)arg;
	for (uint64_t i = 0; i < requests / 2; i++) {
		snprintf(path, sizeof path, "/items/%" PRIu64, i * 7919 % 1000000);
		lttng_ust_tracepoint(bench, request, i, path, i % 97 ? 200 : 404);
		lttng_ust_tracepoint(bench, item, (uint32_t)i, (double)(i % 10007) / 8, (int)(i & 0xffff));
		lttng_ust_tracepoint(bench, item, (uint32_t)i + 1, (double)(i % 97), 0);
		lttng_ust_tracepoint(bench, order, i, items, (int)(i % 4));
	}
	return NULL;
}

static double
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

/* Events like those of generate --cost, fewer than the buffers hold: nobody waits for the disk. */
static double
cost_alone(void)
{
	enum { WARM = 1000, N = 40000 };
	double begin = 0;

	for (unsigned i = 0; i < WARM + N; i++) {
		if (i == WARM)
			begin = now_ns();
		lttng_ust_tracepoint(bench, item, i, (double)i, (int)(i & 0xffff));
	}
	return (now_ns() - begin) / N;
}

int
main(int argc, char **argv)
{
	double alone = cost_alone(), begin;
	pthread_t thread;

	requests = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
	begin = now_ns();
	pthread_create(&thread, NULL, work, NULL);
	work(NULL);
	pthread_join(thread, NULL);
	printf("LTTng-UST: %.1f ns an event (5 values, two of them contexts)", alone);
	if (requests)
		printf("; %.1f ns in each of two threads, while a consumer writes them out",
		       (now_ns() - begin) / (double)(requests * 2));
	printf("\n");
	return 0;
}
