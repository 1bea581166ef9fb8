/*
 * problems.h - problems of the traces, kept for the list of problems
 *
 * problems_tell() is a tn_problem_fn: pass it to tn_set_open(), with the list as its user. Any thread may add problems
 * while another one reads. At most PROBLEMS_KEPT texts are kept; others are only counted.
 */
#ifndef PROBLEMS_H
#define PROBLEMS_H

#include <tnav/error.h>

#define PROBLEMS_KEPT 10000

struct problems;

struct problems *problems_new(void);	/* NULL: memory is out */
void problems_free(struct problems *list);	/* NULL is allowed */
void problems_tell(void *list, const struct tn_problem *problem);
size_t problems_count(const struct problems *list);	/* number of kept texts; 0 if @list is NULL */
size_t problems_left_out(const struct problems *list);	/* number of problems that were reported but not kept */
/* Text @i, valid until problems_free(); sets *severity. */
const char *problems_text(const struct problems *list, size_t i, enum tn_severity *severity);

#endif
