/* Codes: rows that were added are read again, from memory and from the file (packed_codes.h). */
#include <criterion/criterion.h>

#include "compare/packed_codes.h"

/* The same in all rows, bytes, words, none between them, words in the second half only, the number of the row. */
static void
make_row(uint16_t *row, size_t i, size_t n)
{
	row[0] = 7;
	row[1] = (uint16_t)(i % 255);
	row[2] = (uint16_t)(i % 40000);
	row[3] = i % 3 ? TN_CODES_NONE : (uint16_t)(i % 100);
	row[4] = i < n / 2 ? 3 : (uint16_t)(i % 16384);
	row[5] = (uint16_t)i;
	row[6] = i % 2 ? TN_CODES_NONE : UINT8_MAX;
	row[7] = TN_CODES_NONE;
}

struct reading {
	size_t row, n;
};

static enum tn_code
check(void *user, struct tn_codes *c, struct tn_error *err)
{
	struct reading *r = user;
	uint16_t row[8];

	(void)err;
	for (size_t k = 0; k < c->n; k++, r->row++) {
		make_row(row, r->row, r->n);
		for (size_t i = 0; i < 8; i++)
			cr_assert_eq(c->chunk[i * TN_CODES_ROWS + k], row[i], "row %zu of %zu, column %zu", r->row, r->n, i);
	}
	return TN_OK;
}

static enum tn_code
add_chunk(void *user, struct tn_codes *c, struct tn_error *err)
{
	return tn_codes_add_chunk(user, c, err);
}

Test(codes, rows_are_read_again)
{
	static const size_t sizes[] = { 1, TN_CODES_ROWS - 1, TN_CODES_ROWS, TN_CODES_ROWS + 1, 10000, 3000000 };

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		struct tn_codes c = { .n_columns = 8 }, copy = { .n_columns = 8 };
		struct reading r = { .n = sizes[s] }, again = { .n = sizes[s] };
		uint16_t row[8];
		struct tn_error err;

		for (size_t i = 0; i < sizes[s]; i++) {
			make_row(row, i, sizes[s]);
			cr_assert_eq(tn_codes_add(&c, row, &err), TN_OK);
		}
		cr_assert_eq(tn_codes_each(&c, check, &r, &err), TN_OK, "%s", err.text);
		cr_assert_eq(r.row, sizes[s]);
		cr_assert_eq(c.in_file != 0, sizes[s] == 3000000);
		cr_assert_lt(c.kept.n, 17u << 20);
		if (sizes[s] < 100000) {
			cr_assert_eq(tn_codes_each(&c, add_chunk, &copy, &err), TN_OK);
			cr_assert_eq(tn_codes_each(&copy, check, &again, &err), TN_OK);
			cr_assert_eq(again.row, sizes[s]);
		}
		tn_codes_release(&c);
		tn_codes_release(&copy);
	}
}
