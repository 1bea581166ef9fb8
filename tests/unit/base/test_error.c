/* Errors: what, where, and nothing cut inside a character (base/error.h). */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/utf.h"

/* @n bytes: "x", then characters of three bytes. */
static char *
long_text(char *room, size_t n)
{
	memset(room, 'x', n);
	for (size_t i = 1; i + 3 <= n; i += 3)
		memcpy(room + i, "\xe2\x82\xac", 3);
	room[n] = '\0';
	return room;
}

static bool
is_whole(const char *text)
{
	size_t n = strlen(text);

	while (n && ((unsigned char)text[n - 1] & 0xc0) == 0x80)
		n--;
	return !n || (unsigned char)text[n - 1] < 0x80 || strlen(text) - n == 2;
}

Test(error, codes_and_places)
{
	struct tn_error err;

	cr_expect_eq(tn_fail(&err, TN_ERR_FORMAT, "%d of %s", 3, "x"), TN_ERR_FORMAT);
	cr_expect(err.code == TN_ERR_FORMAT && strcmp(err.text, "3 of x") == 0);
	cr_expect_eq(tn_at(&err, TN_ERR_FORMAT, "packet %d", 7), TN_ERR_FORMAT);
	cr_expect_eq(tn_at(&err, TN_ERR_FORMAT, "file"), TN_ERR_FORMAT);
	cr_expect_str_eq(err.text, "file: packet 7: 3 of x");
	errno = ENOENT;
	cr_expect_eq(tn_fail_errno(&err, "%s", "here"), TN_ERR_SYSTEM);
	cr_expect(err.code == TN_ERR_SYSTEM && strcmp(err.text, "here: No such file or directory") == 0, "%s", err.text);
	cr_expect_eq(tn_fail_memory(&err), TN_ERR_MEMORY);
	cr_expect_eq(tn_fail_null(&err), TN_ERR_ARGUMENT);
	cr_expect(tn_fail(NULL, TN_ERR_RANGE, "x") == TN_ERR_RANGE && tn_at(NULL, TN_ERR_RANGE, "x") == TN_ERR_RANGE &&
		  tn_fail_errno(NULL, "x") == TN_ERR_SYSTEM, "nobody wants to know why");
}

/* Text that is too long loses its end: the cause after a place, the place of a system's error. */
Test(error, long_texts)
{
	char room[4096];

	for (size_t n = TN_ERROR_SIZE - 130; n < TN_ERROR_SIZE + 8; n++) {
		struct tn_error err;

		tn_fail(&err, TN_ERR_FORMAT, "%s", long_text(room, n));
		cr_expect(is_whole(err.text) && strncmp(err.text, room, strlen(err.text)) == 0, "%zu", n);
		cr_expect(n >= TN_ERROR_SIZE || strlen(err.text) == n, "%zu", n);
		tn_at(&err, TN_ERR_FORMAT, "here");
		cr_expect(is_whole(err.text) && strncmp(err.text, "here: x", 7) == 0, "%zu", n);
		tn_at(&err, TN_ERR_FORMAT, "%s", room);
		cr_expect(is_whole(err.text) && strlen(err.text) < sizeof err.text, "%zu", n);
		errno = EACCES;
		tn_fail_errno(&err, "%s", room);
		cr_expect(strstr(err.text, ": Permission denied"), "%zu: %s", n, err.text);
		*strstr(err.text, ": Permission") = '\0';
		cr_expect(is_whole(err.text), "%zu", n);
	}
}

static void
on_problem(void *user, const struct tn_problem *problem)
{
	char *out = user;

	cr_expect_eq(problem->severity, TN_WRONG);
	strcpy(out, problem->text);
}

Test(error, problems)
{
	static char told[4096];
	char room[4096];
	const struct tn_problems to = { on_problem, told }, nowhere = { NULL, told };

	tn_tell(&to, TN_WRONG, "%d", 5);
	cr_expect_str_eq(told, "5");
	tn_tell(&nowhere, TN_WRONG, "%d", 6);
	tn_tell(NULL, TN_WRONG, "%d", 7);
	cr_expect_str_eq(told, "5", "nobody was told");
	for (size_t n = 2040; n < 2060; n++) {
		tn_tell(&to, TN_WRONG, "%s", long_text(room, n));
		cr_expect(is_whole(told), "%zu", n);
	}
}
