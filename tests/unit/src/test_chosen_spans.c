#include <config.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/chosen_spans.h"
#include "session/store.h"

static char folder[] = "/tmp/tnav-kept-XXXXXX", path[64];

static void
begin(void)
{
	cr_assert(mkdtemp(folder));
	setenv("XDG_CONFIG_HOME", folder, 1);
	snprintf(path, sizeof path, "%s/tnav/spans", folder);
}

static void
end(void)
{
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
	rmdir(folder);
}

TestSuite(kept, .init = begin, .fini = end);

static void
put(const char *text, size_t n)
{
	struct tn_error err;

	cr_assert(lines_write(path, text, n, &err), "%s", err.text);
}

static void
expect(const char *text)
{
	char got[4096] = "";
	FILE *f = fopen(path, "r");

	cr_assert(f);
	cr_assert_lt(fread(got, 1, sizeof got - 1, f), sizeof got - 1);
	fclose(f);
	cr_assert_str_eq(got, text);
}

Test(kept, the_last_word_counts)
{
	struct tn_error err;
	struct kept k;

	cr_assert(kept_read(&k, &err) && k.n == 0);
	kept_release(&k);
	cr_assert(kept_change("a b by tid", KEEP_TAKEN, &err), "%s", err.text);
	cr_assert(kept_change("c d by cpu", KEEP_REFUSED, &err));
	cr_assert(kept_change("a b by tid", KEEP_REFUSED, &err));
	expect("refuse c d by cpu\nrefuse a b by tid\n");
	cr_assert(kept_read(&k, &err));
	cr_assert(k.n == 2 && k.item[0].refused && k.item[1].refused);
	cr_assert(kept_find(&k, "a b by tid") == &k.item[1] && !kept_find(&k, "a b"));
	kept_release(&k);
	cr_assert(kept_change("c d by cpu", KEEP_NOTHING, &err));
	expect("refuse a b by tid\n");
}

/* Remarks, what a later tnav writes, and any number of definitions stay. */
Test(kept, what_it_does_not_know_stays)
{
	struct tn_error err;
	struct kept k;
	char *all = NULL;
	size_t size;
	FILE *f = open_memstream(&all, &size);

	put("# mine\nwatch x\ntake a b", 23);
	cr_assert(kept_change("c d", KEEP_TAKEN, &err));
	expect("# mine\nwatch x\ntake a b\ntake c d\n");
	for (int i = 0; i < 3000; i++)
		fprintf(f, "take a%d b%d\n", i, i);
	fclose(f);
	put(all, size);
	free(all);
	cr_assert(kept_change("c d", KEEP_TAKEN, &err));
	cr_assert(kept_read(&k, &err));
	cr_assert_eq(k.n, 3001);
	cr_assert(kept_find(&k, "a0 b0") && kept_find(&k, "c d"));
	kept_release(&k);
}

/* An unreadable file is not overwritten. */
Test(kept, too_large_is_left_alone)
{
	char *large = calloc(1, STORE_BYTES + 1);
	struct tn_error err;
	struct stat st;
	struct kept k;

	cr_assert(large);
	put(large, STORE_BYTES + 1);
	free(large);
	cr_assert(!kept_read(&k, &err) && strstr(err.text, "too large"), "%s", err.text);
	cr_assert(!kept_change("a b", KEEP_TAKEN, &err) && strstr(err.text, "too large"), "%s", err.text);
	cr_assert(stat(path, &st) == 0 && (size_t)st.st_size == STORE_BYTES + 1);
}

Test(kept, without_a_home)
{
	struct tn_error err;
	struct kept k;

	unsetenv("XDG_CONFIG_HOME");
	unsetenv("HOME");
	cr_assert(kept_read(&k, &err) && k.n == 0);
	kept_release(&k);
	cr_assert(!kept_change("a b", KEEP_TAKEN, &err) && strstr(err.text, "home folder"));
}
