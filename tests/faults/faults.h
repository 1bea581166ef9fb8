/*
 * faults.h - calls of the system fail at their n-th time (faults.c, linked with ld --wrap)
 */
#ifndef TESTS_FAULTS_H
#define TESTS_FAULTS_H

#include <stdbool.h>

/* As TNAV_FAULT says it, from now on: "alloc:3", "read:1+"; NULL: nothing fails. Calls are counted anew. */
void faults_set(const char *fault);

/* Or let @choose say which calls fail, told the number of the kind; it is asked in every thread. NULL: no longer. */
void faults_choose(bool (*choose)(int kind));

/* Nothing fails and nothing is counted until it is called again: what the test does for itself. */
void faults_pause(bool pause);

/* Calls of the kind that was set, since then. */
unsigned long faults_calls(void);

/* Mapped and not unmapped. */
long faults_maps(void);

#endif
