/*
 * functions.c - all functions of the mapped files, for symbol() in conditions
 */
#include "symbol/symbols.h"

#include <string.h>

#include "base/error.h"

#define MOST_FUNCTIONS 2000000	/* limit of functions of a file */
#define MOST_NAMES ((size_t)256 << 20)	/* limit of bytes of the names of all files */

struct item {
	struct tn_function function;
	size_t place;		/* position in the helper's list: of several functions at one address, the first counts */
};

struct files {
	struct tn_symbols *s;
	struct tn_functions *to;
	TN_ARRAY(struct tn_function_image) image;
	TN_ARRAY(struct item) item;	/* functions of the file that is being read */
};

static bool
add(void *user, const struct tn_helper_function *function, const char *name)
{
	struct files *all = user;
	struct item *item;

	if (all->item.n >= MOST_FUNCTIONS || all->s->function_bytes >= MOST_NAMES || !(item = TN_ARRAY_ADD(&all->item)))
		return false;
	all->s->function_bytes += function->n + 1;
	*item = (struct item) {
		{ function->low, function->high, tn_arena_copy(&all->s->function_arena, name, function->n) }, all->item.n,
	};
	return item->function.name != NULL;
}

static int
by_address(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->function.low != y->function.low)
		return x->function.low < y->function.low ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

static uint64_t
sum_of(const struct tn_function *f, size_t n)
{
	uint64_t sum = n;

	for (size_t i = 0; i < n; i++) {
		sum = tn_sum_bytes(sum, &f[i].low, sizeof f[i].low);
		sum = tn_sum_bytes(sum, &f[i].high, sizeof f[i].high);
		sum = tn_sum_bytes(sum, f[i].name, strlen(f[i].name));
	}
	return sum;
}

/* Take the functions in the order of their addresses, without overlaps. */
static bool
take(struct files *all, struct tn_function_file *out)
{
	struct tn_function *f = TN_NEW_ARRAY(&all->s->function_arena, all->item.n + 1, struct tn_function);
	uint64_t next = UINT64_MAX;

	if (!f)
		return false;
	if (all->item.n)
		qsort(all->item.item, all->item.n, sizeof *all->item.item, by_address);
	for (size_t i = all->item.n; i--;) {
		struct tn_function *x = &all->item.item[i].function;

		if (i + 1 < all->item.n && x->low != all->item.item[i + 1].function.low)
			next = all->item.item[i + 1].function.low - 1;
		x->high = x->high ? x->high : next;
	}
	for (size_t i = 0; i < all->item.n; i++) {
		struct tn_function x = all->item.item[i].function;

		if (out->n && x.low <= f[out->n - 1].high)
			x.low = f[out->n - 1].high + 1;
		if (x.low && x.low <= x.high)
			f[out->n++] = x;
	}
	out->function = f;
	out->sum = sum_of(f, out->n);
	return true;
}

static bool
read_file(struct files *all, struct tn_binary *b, bool of_file, struct tn_function_file *out)
{
	struct tn_helper_question q = { .how = TN_HELPER_FUNCTIONS | (of_file ? TN_HELPER_OFFSET : 0) };
	uint32_t flags = 0;
	bool ok = false, again = true;

	while (!ok && again && tn_symbols_start(all->s, b)) {
		all->item.n = 0;
		ok = tn_helper_functions(&b->helper, &q, &flags, add, all);
		again = !ok && tn_symbols_failed(all->s, b);
	}
	all->item.n = ok ? all->item.n : 0;
	return take(all, out);
}

static void
add_sum(struct tn_functions *to, const struct tn_function_image *image, uint64_t of_functions)
{
	const uint64_t words[] = {
		(uint64_t)image->pid, (uint64_t)image->begin_ns, (uint64_t)image->end_ns, image->low, image->high, image->base,
		of_functions,
	};

	to->sum = tn_sum_bytes(to->sum, words, sizeof words);
	if (image->trace)
		to->sum = tn_sum_bytes(to->sum, image->trace->path, strlen(image->trace->path));
}

/* Add a mapping to the images. A file can have two numbers: one for addresses in the file, one for positions. Needs the lock. */
static bool
add_image(struct files *all, struct tn_image *m, const struct tn_trace *trace, int64_t pid)
{
	struct tn_symbols *s = all->s;
	const struct tn_moment last = { .time_ns = INT64_MAX };
	struct tn_binary *b = tn_symbols_binary(s, m, &last);
	size_t number = b ? (size_t)(b - s->binary.item) * 2 + m->of_file : 0;
	struct tn_function_image *image;
	struct tn_function_file *file;

	if (!b || !TN_ARRAY_RESERVE(&s->file, number + 1))
		return false;
	while (s->file.n <= number)
		s->file.item[s->file.n++] = (struct tn_function_file) { 0 };
	file = &s->file.item[number];
	if (!file->function && !read_file(all, b, m->of_file, file))
		return false;
	if (file->counted != all->to) {
		file->counted = all->to;
		all->to->n_files++;
		all->to->n_missing += !file->n;
		all->to->missing = file->n || all->to->missing ? all->to->missing : m->path;
	}
	if (!(image = TN_ARRAY_ADD(&all->image)))
		return false;
	*image = (struct tn_function_image) {
		.trace = trace, .pid = pid,
		.begin_ns = m->begin.time_ns, .end_ns = m->has_end ? m->end.time_ns : INT64_MAX,
		.low = m->base, .high = m->size > UINT64_MAX - m->base ? UINT64_MAX : m->base + (m->size - 1),
		.base = m->is_pic ? m->base - m->offset : 0,
		.function = file->function, .n = file->n,
	};
	pthread_rwlock_wrlock(&s->mapped);
	m->function = file->function;
	m->n_functions = file->n;
	pthread_rwlock_unlock(&s->mapped);
	add_sum(all->to, image, file->sum);
	return true;
}

static enum tn_code
add_map(struct files *files, const struct tn_symbol_map *map, struct tn_error *err)
{
	struct tn_symbols *s = files->s;
	struct tn_function_image image = { .begin_ns = INT64_MIN, .end_ns = INT64_MAX, .high = UINT64_MAX }, *at;
	struct tn_function *f;
	struct tn_str unused = { 0 };
	size_t all;
	enum tn_code rc = map ? tn_symbol_map_functions(map, &s->function_arena, &f, &all, err) : TN_OK;

	if (!map || rc < 0)
		return rc;
	/* The user's map has priority over the kernel's. */
	for (size_t i = 0; i < all; i++)
		if (map == s->options.map || !tn_symbol_map_name(s->options.map, f[i].low, false, &unused))
			f[image.n++] = f[i];
	tn_str_release(&unused);
	image.function = f;
	at = TN_ARRAY_ADD(&files->image);
	if (!at)
		return tn_fail_memory(err);
	*at = image;
	add_sum(files->to, at, sum_of(f, image.n));
	return TN_OK;
}

static const char *
function_at(const struct tn_function *f, size_t n, uint64_t address)
{
	size_t at = 0;

	TN_BISECT(at, n, i, f[i].low <= address);
	return at && address <= f[at - 1].high ? f[at - 1].name : "";
}

static const char *
name_at(const struct tn_functions *all, const struct tn_function_place *at)
{
	struct tn_symbols *s = all->symbols;
	const struct tn_moment moment = { at->time_ns, at->rank, at->packet, at->row };
	const struct tn_image *m;
	const char *name = "";

	pthread_rwlock_rdlock(&s->mapped);
	m = at->has_pid ? tn_mappings_find(&s->mappings, at->trace, at->pid, &moment, at->address) : NULL;
	if (m)
		name = function_at(m->function, m->n_functions, tn_image_place(m, at->address));
	pthread_rwlock_unlock(&s->mapped);
	/* The maps are the last images. */
	for (size_t i = all->image.n; i-- && !m && !*name && !all->image.item[i].trace;)
		name = function_at(all->image.item[i].function, all->image.item[i].n, at->address);
	return name;
}

static enum tn_code
read_all(struct tn_symbols *s, struct tn_functions **out, struct tn_error *err)
{
	struct files all = { .s = s, .to = TN_NEW(&s->function_arena, struct tn_functions) };
	enum tn_code rc = all.to ? TN_OK : tn_fail_memory(err);

	for (size_t i = 0; i < s->mappings.process.n && rc == TN_OK; i++) {
		const struct tn_process *p = &s->mappings.process.item[i];

		for (struct tn_image *m = p->first; m && rc == TN_OK; m = m->next)
			rc = add_image(&all, m, p->trace, p->vpid) ? TN_OK : tn_fail_memory(err);
	}
	TN_ARRAY_RELEASE(&all.item);
	if (rc == TN_OK)
		rc = add_map(&all, s->options.map, err);
	if (rc == TN_OK)
		rc = add_map(&all, s->kernel, err);
	if (rc == TN_OK && all.image.n) {
		all.to->image.item = TN_NEW_ARRAY(&s->function_arena, all.image.n, struct tn_function_image);
		if (all.to->image.item)
			memcpy(all.to->image.item, all.image.item, all.image.n * sizeof *all.image.item);
		else
			rc = tn_fail_memory(err);
	}
	if (rc == TN_OK) {
		all.to->image.n = all.image.n;
		all.to->name = name_at;
		all.to->symbols = s;
		*out = all.to;
	}
	TN_ARRAY_RELEASE(&all.image);
	return rc;
}

static enum tn_code
get_functions(struct tn_symbols *s, const struct tn_functions **out, struct tn_error *err)
{
	struct tn_functions *f = s->functions;
	enum tn_code rc = TN_OK;
	char problem[300];
	size_t n = 0;

	/* The lock is needed only to read the functions. When they are read, callers need not wait for a helper. */
	if (!f) {
		pthread_mutex_lock(&s->lock);
		f = s->functions;
		if (!f)
			rc = read_all(s, &f, err);
		s->functions = f;
		pthread_mutex_unlock(&s->lock);
	}
	*out = f;
	for (size_t i = 0; rc == TN_OK && i < f->image.n; i++)
		n += f->image.item[i].n;
	if (rc == TN_OK && !n && f->n_files)
		rc = tn_fail(err, TN_ERR_NOT_FOUND, "no mapped file has function names here (%s): give the folder of the files "
			     "with --debug-info-dir or --debug-info-target-prefix, or the names with --map",
			     tn_symbols_problem(s, problem, sizeof problem) ? problem : f->missing);
	else if (rc == TN_OK && !n)
		rc = tn_fail(err, TN_ERR_NOT_FOUND, "the traces do not record which files the processes mapped: give function "
			     "names with --map or --kallsyms");
	return rc;
}

enum tn_code
tn_symbols_functions(struct tn_symbols *s, struct tn_error *err)
{
	const struct tn_functions *unused;

	return s ? get_functions(s, &unused, err) : tn_fail_null(err);
}

static enum tn_code
read_functions(const struct tn_function_source *source, const struct tn_functions **out, struct tn_error *err)
{
	struct tn_symbols *s = source->symbols(source->user, err);

	*out = NULL;
	return s ? get_functions(s, out, err) : err->code < 0 ? err->code : tn_fail_memory(err);
}

void
tn_set_symbols(struct tn_set *set, struct tn_symbols *(*symbols)(void *user, struct tn_error *err), void *user)
{
	if (set)
		set->functions = (struct tn_function_source) { symbols ? read_functions : NULL, symbols, user };
}
