/*
 * parts.c - looms, processes and threads: streams must agree about the same object (3)
 *
 * Nothing here prevents events from being shown: all violations are reported as problems.
 */
#include "ovni/private.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *
loom_of(const struct tn_ovni_meta *m)
{
	return m->loom ? m->loom : "";
}

static int
compare(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

/* Sort by loom, process and thread, then in the order of the streams, so that the result is always the same. */
static int
by_part(const void *a, const void *b)
{
	const struct tn_ovni_meta *x = *(const struct tn_ovni_meta *const *)a, *y = *(const struct tn_ovni_meta *const *)b;
	int c = strcmp(loom_of(x), loom_of(y));

	if (c == 0)
		c = compare(x->pid, y->pid);
	if (c == 0)
		c = compare(x->tid, y->tid);
	return c ? c : x < y ? -1 : x > y;
}

static bool
same_process(const struct tn_ovni_meta *a, const struct tn_ovni_meta *b)
{
	return a->pid == b->pid && strcmp(loom_of(a), loom_of(b)) == 0;
}

/*
 * Merge a value of a process. Any stream of the process can define the value, and all its streams get it. @none: the
 * value if no stream defines it.
 */
static int64_t
merge(struct tn_trace *trace, struct tn_ovni_meta *const *m, size_t n, const char *what, size_t member,
      int64_t none)
{
	int64_t value = none;
	const char *path = "";

	for (size_t i = 0; i < n; i++) {
		int64_t v;

		memcpy(&v, (const char *)m[i] + member, sizeof v);
		if (v == none)
			continue;
		if (value != none && v != value)
			tn_tell(&trace->problems, TN_WRONG, "process %" PRId64 " of loom %s: %s is %" PRId64 " in %s and %"
				PRId64 " in %s", m[i]->pid, loom_of(m[i]), what, value, path, v, m[i]->folder);
		value = v;
		path = m[i]->folder;
	}
	for (size_t i = 0; i < n; i++) {
		int64_t v;

		memcpy(&v, (const char *)m[i] + member, sizeof v);
		if (v == none)
			memcpy((char *)m[i] + member, &value, sizeof value);
	}
	return value;
}

static void
check_process(struct tn_trace *trace, struct tn_ovni_meta *const *m, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (m[i]->tid && m[i]->tid == m[i - 1]->tid)
			tn_tell(&trace->problems, TN_WRONG, "%s and %s are both thread %" PRId64 " of process %" PRId64
				" of loom %s", m[i - 1]->folder, m[i]->folder, m[i]->tid, m[i]->pid, loom_of(m[i]));
	if (merge(trace, m, n, "app_id", offsetof(struct tn_ovni_meta, app_id), 0) <= 0)
		tn_tell(&trace->problems, TN_WRONG, "process %" PRId64 " of loom %s: no thread has an \"ovni.app_id\" above 0",
			m[0]->pid, loom_of(m[0]));
	merge(trace, m, n, "rank", offsetof(struct tn_ovni_meta, rank), -1);
	merge(trace, m, n, "nranks", offsetof(struct tn_ovni_meta, n_ranks), -1);
}

/* If one process of a loom has a rank, every process of the loom must have one. */
static void
check_ranks(struct tn_trace *trace, struct tn_ovni_meta *const *m, size_t n)
{
	const struct tn_ovni_meta *without = NULL;
	bool some = false;

	for (size_t i = 0, end; i < n; i = end) {
		bool has = false;

		for (end = i; end < n && same_process(m[i], m[end]); end++)
			has |= m[end]->rank >= 0;
		some |= has;
		if (!has && !without)
			without = m[i];
	}
	if (some && without)
		tn_tell(&trace->problems, TN_WRONG, "loom %s: process %" PRId64 " has no rank, others have one",
			loom_of(without), without->pid);
}

static int
by_index(const void *a, const void *b)
{
	const struct tn_ovni_cpu *x = a, *y = b;
	int c = compare(x->index, y->index);

	return c ? c : compare(x->phyid, y->phyid);
}

static int
by_phyid(const void *a, const void *b)
{
	const struct tn_ovni_cpu *x = a, *y = b;
	int c = compare(x->phyid, y->phyid);

	return c ? c : compare(x->index, y->index);
}

/*
 * Join the CPUs of all threads of a loom. Returns the number of different CPUs in @cpu, which is then sorted by
 * index.
 */
static size_t
check_cpus(struct tn_trace *trace, struct tn_ovni_cpu *cpu, size_t n, const char *loom)
{
	size_t distinct = 0;

	if (!n) {
		tn_tell(&trace->problems, TN_WRONG, "loom %s: no thread has \"ovni.loom_cpus\"", loom);
		return 0;
	}
	qsort(cpu, n, sizeof *cpu, by_index);
	for (size_t i = 0; i < n; i++) {
		if (i && by_index(&cpu[i - 1], &cpu[i]) == 0)
			continue;	/* the same CPU again */
		if (i && cpu[i].index == cpu[i - 1].index)
			tn_tell(&trace->problems, TN_WRONG, "loom %s: CPUs %" PRId64 " and %" PRId64 " have both index %" PRId64,
				loom, cpu[i - 1].phyid, cpu[i].phyid, cpu[i].index);
		cpu[distinct++] = cpu[i];
	}
	if (cpu[distinct - 1].index >= (int64_t)distinct)
		tn_tell(&trace->problems, TN_WRONG, "loom %s: the index %" PRId64 " is not below the number of CPUs, "
						    "%zu", loom, cpu[distinct - 1].index,
			distinct);
	qsort(cpu, distinct, sizeof *cpu, by_phyid);
	for (size_t i = 1; i < distinct; i++)
		if (cpu[i].phyid == cpu[i - 1].phyid)
			tn_tell(&trace->problems, TN_WRONG, "loom %s: CPU %" PRId64 " has index %" PRId64 " and %" PRId64, loom,
				cpu[i].phyid, cpu[i - 1].index, cpu[i].index);
	qsort(cpu, distinct, sizeof *cpu, by_index);
	return distinct;
}

static enum tn_code
check_loom(struct tn_trace *trace, struct tn_ovni_meta *const *m, size_t n, struct tn_error *err)
{
	size_t n_cpus = 0, k = 0;
	struct tn_ovni_cpu *cpu;

	for (size_t i = 0; i < n; i++)
		n_cpus += m[i]->n_cpus;
	cpu = TN_NEW_ARRAY(&trace->arena, n_cpus + 1, struct tn_ovni_cpu);
	if (!cpu)
		return tn_fail_memory(err);
	for (size_t i = 0; i < n; i++)
		for (size_t c = 0; c < m[i]->n_cpus; c++)
			cpu[k++] = m[i]->cpu[c];
	n_cpus = check_cpus(trace, cpu, n_cpus, loom_of(m[0]));
	for (size_t i = 0; i < n; i++) {
		m[i]->loom_cpu = cpu;
		m[i]->n_loom_cpus = n_cpus;
	}
	check_ranks(trace, m, n);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && same_process(m[i], m[end]); end++)
			;
		check_process(trace, m + i, end - i);
	}
	return TN_OK;
}

static void
check_versions(struct tn_trace *trace, const struct tn_ovni_meta *m, size_t n)
{
	const struct tn_ovni_meta *first = NULL;

	for (size_t i = 0; i < n; i++) {
		if (!m[i].lib_version)
			continue;
		if (!first) {
			first = &m[i];
		} else if (strcmp(first->lib_version, m[i].lib_version) != 0) {
			tn_tell(&trace->problems, TN_WARNING, "streams of several versions of libovni: %s in %s, %s in %s",
				first->lib_version, first->folder, m[i].lib_version, m[i].folder);
			return;
		}
	}
}

enum tn_code
tn_ovni_join_parts(struct tn_trace *trace, struct tn_ovni_meta *meta, size_t n, struct tn_error *err)
{
	struct tn_ovni_meta **sorted = calloc(n + 1, sizeof *sorted);
	enum tn_code rc = TN_OK;
	size_t n_threads = 0;

	if (!sorted)
		return tn_fail_memory(err);
	/*
	 * Without a loom or a process nothing can be compared; this was already reported. Streams of other parts have
	 * no rules.
	 */
	for (size_t i = 0; i < n; i++)
		if (meta[i].loom && meta[i].pid && (!meta[i].part || strcmp(meta[i].part, "thread") == 0))
			sorted[n_threads++] = &meta[i];
	qsort(sorted, n_threads, sizeof *sorted, by_part);
	for (size_t i = 0, end; i < n_threads && rc == TN_OK; i = end) {
		for (end = i; end < n_threads && strcmp(loom_of(sorted[i]), loom_of(sorted[end])) == 0; end++)
			;
		rc = check_loom(trace, sorted + i, end - i, err);
	}
	check_versions(trace, meta, n);
	free(sorted);
	return rc;
}
