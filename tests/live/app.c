/*
 * Emits events slowly from two threads:  app EVENTS [MICROSECONDS between two of them [END]], where END is milliseconds
 * to stay, or a file (with a slash) that is waited for, at most a minute.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "tp.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int events, pause_us = 1000;

static void *
work(void *arg)
{
	char text[40];

	for (int i = 0; i < events; i++) {
		snprintf(text, sizeof text, "thread %ld, number %d", (long)arg, i);
		lttng_ust_tracepoint(tnavtest, tick, i, text);
		if (i % 8 == 0)
			lttng_ust_tracepoint(tnavtest, other, i);
		if (pause_us)
			usleep((useconds_t)pause_us);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t thread[2];

	events = argc > 1 ? atoi(argv[1]) : 1000;
	if (argc > 2)
		pause_us = atoi(argv[2]);
	for (long i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	if (argc > 3 && *argv[3] != '/')
		usleep((useconds_t)atoi(argv[3]) * 1000);
	for (int i = 0; argc > 3 && *argv[3] == '/' && access(argv[3], F_OK) != 0 && i < 6000; i++)
		usleep(10000);
	return 0;
}
