/* members.c - read the members of an event that give its time, thread and name */
#include <string.h>

#include "chromejson/private.h"

unsigned
tn_cj_special(const struct tn_cj_piece *key)
{
	static const char names[TN_CJ_SPECIAL][6] = {
		[TN_CJ_PH] = "ph", [TN_CJ_TS] = "ts", [TN_CJ_DUR] = "dur", [TN_CJ_PID] = "pid", [TN_CJ_TID] = "tid",
		[TN_CJ_NAME] = "name", [TN_CJ_CAT] = "cat", [TN_CJ_ARGS] = "args", [TN_CJ_ID] = "id", [TN_CJ_ID2] = "id2",
		[TN_CJ_SCOPE] = "scope",
	};

	if (key->n < 2 || key->n > 5)
		return TN_CJ_SPECIAL;
	for (unsigned i = 0; i < TN_CJ_SPECIAL; i++)
		if (names[i][0] == (char)key->p[0] && strlen(names[i]) == key->n && memcmp(names[i], key->p, key->n) == 0)
			return i;
	return TN_CJ_SPECIAL;
}

/* Note the member @which, whose value is bytes [from, to). */
static void
note(struct tn_cj_event *e, unsigned which, const uint8_t *from, const uint8_t *to)
{
	struct tn_cj_piece *value = &e->value[which];

	e->is_string[which] = *from == '"';
	if (e->is_string[which])
		tn_cj_string(from, to, value);
	else
		*value = (struct tn_cj_piece) { from, (size_t)(to - from), false };
	if (which == TN_CJ_PH)
		e->phase = e->is_string[which] && value->n == 1 ? (char)*value->p : '?';
}

const uint8_t *
tn_cj_read_members(struct tn_cj_event *e, const uint8_t *p, const uint8_t *end)
{
	struct tn_cj_piece key;
	const uint8_t *after;
	bool last;

	*e = (struct tn_cj_event) { .phase = '?' };
	for (p++; (p = tn_cj_member(p, end, &key, &last)) && !last; p = after) {
		unsigned which = tn_cj_special(&key);

		if (!(after = tn_cj_skip(p, end)))
			return NULL;
		if (which != TN_CJ_SPECIAL)
			note(e, which, p, after);
	}
	return p;
}
