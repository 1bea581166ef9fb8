/* ust_load REQUESTS: record with LTTng-UST, from two threads; prints what one event costs */
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

int
main(int argc, char **argv)
{
	struct timespec a, b;
	pthread_t thread;

	requests = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
	clock_gettime(CLOCK_MONOTONIC, &a);
	pthread_create(&thread, NULL, work, NULL);
	work(NULL);
	pthread_join(thread, NULL);
	clock_gettime(CLOCK_MONOTONIC, &b);
	if (requests)
		printf("cost of an event with LTTng-UST: %.1f ns in each of two threads\n",
		       ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / (double)(requests * 2));
	return 0;
}
