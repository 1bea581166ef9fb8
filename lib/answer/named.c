/* named.c - get the value of a field or an attribute in single rows */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "language/take.h"
#include "order/cursor.h"

struct tn_named {
	const struct tn_set *set;
	uint64_t grown;		/* set->grown when the classes were listed */
	char *name;
	struct tn_classes classes;
	struct tn_take take;
	struct tn_row_state state;
	bool is_made;
};

static void
release(struct tn_named *n)
{
	tn_row_state_release(&n->state);
	n->state = (struct tn_row_state) { 0 };
	if (!n->is_made)
		return;
	tn_take_release(&n->take);
	tn_classes_release(&n->classes);
	n->is_made = false;
}

static enum tn_code
make(struct tn_named *n, struct tn_error *err)
{
	enum tn_code rc;

	release(n);
	n->grown = n->set->grown;
	rc = tn_classes_init(&n->classes, n->set, err);
	if (rc < 0)
		return rc;
	rc = tn_take_init(&n->take, &n->classes, n->name, strlen(n->name), n->name, 1, err);
	n->is_made = rc == TN_OK;
	if (!n->is_made)
		tn_classes_release(&n->classes);
	return rc;
}

enum tn_code
tn_named_new(struct tn_named **out, const struct tn_set *set, const char *name, struct tn_error *err)
{
	struct tn_named *n;
	enum tn_code rc;

	if (out)
		*out = NULL;
	if (!out || !set || !name)
		return tn_fail_null(err);
	n = calloc(1, sizeof *n);
	if (!n || !(n->name = strdup(name))) {
		free(n);
		return tn_fail_memory(err);
	}
	n->set = set;
	rc = make(n, err);
	if (rc < 0) {
		tn_named_free(n);
		return rc;
	}
	*out = n;
	return TN_OK;
}

void
tn_named_free(struct tn_named *n)
{
	if (!n)
		return;
	release(n);
	free(n->name);
	free(n);
}

enum tn_code
tn_named_value(struct tn_named *n, const struct tn_cursor *cur, struct tn_answer_value *out, struct tn_error *err)
{
	const struct tn_batch *batch;
	size_t row;

	if (!n || !cur || !out)
		return tn_fail_null(err);
	*out = (struct tn_answer_value) { 0 };
	batch = tn_cursor_batch(cur, &row);
	if (!batch)
		return tn_fail(err, TN_ERR_ARGUMENT, "the cursor is not on a row");
	if (batch->refs.item[row].event_class == TN_REF_NOTICE)
		return TN_OK;
	if (n->grown != n->set->grown) {
		enum tn_code rc = make(n, err);

		if (rc < 0)
			return rc;
	}
	tn_row_at(&n->state, batch, row);
	return tn_take_value(&n->take, tn_class_of(&n->classes, batch, row), &n->state, out, err);
}
