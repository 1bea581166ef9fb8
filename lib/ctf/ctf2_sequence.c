#include "ctf/ctf2_sequence.h"

#include <string.h>

#define RS '\x1e'

/* Skip to the next value; false: no more values. */
static bool
skip_to_value(struct tn_ctf2_sequence *s)
{
	static const char bom[] = "\xef\xbb\xbf";
	bool lead = false;

	if (s->at == 0 && s->n >= 3 && memcmp(s->text, bom, 3) == 0) {
		s->at = 3;
		lead = true;
	}
	for (; s->at < s->n; s->at++) {
		switch (s->text[s->at]) {
		case RS:
			if (lead && !s->separated && s->since == 0) {
				s->odd |= TN_CTF2_ODD_LEAD;
				s->odd_at = 0;
			}
			s->separated = true;
			s->since = 0;
			break;
		case ' ':
		case '\t':
		case '\n':
		case '\r':
			lead = true;
			break;
		default:
			return true;
		}
	}
	return false;
}

enum tn_code
tn_ctf2_next(struct tn_ctf2_sequence *s, struct tn_json **out, struct tn_arena *arena, size_t *where,
	     struct tn_error *err)
{
	struct tn_json_fault fault;
	const char *end;
	enum tn_code code;

	*out = NULL;
	s->odd = 0;
	if (!skip_to_value(s))
		return TN_END;
	s->odd_at = s->at;
	if (!s->separated && s->since == 0)
		s->odd |= TN_CTF2_ODD_NO_SEPARATOR;
	else if (s->separated && s->since == 1)
		s->odd |= TN_CTF2_ODD_TWO;
	if (s->text[s->at] == '[')
		s->odd |= TN_CTF2_ODD_ARRAY;
	s->since++;
	end = memchr(s->text + s->at, RS, s->n - s->at);
	code = tn_json_parse(out, arena, s->text, end ? (size_t)(end - s->text) : s->n, &s->at, 0,
			     s->map, &fault, err);
	*where = fault.at;
	if (code != TN_ERR_FORMAT || !fault.cut)
		return code == TN_ERR_FORMAT ? tn_at(err, code, "this is not JSON") : code;
	*where = s->odd_at;
	if (end)
		return tn_fail(err, TN_ERR_FORMAT, "this is not JSON: the value does not end before the next record separator, "
			       "the byte 1e");
	/* The trace is still being recorded, or the copy was cut. */
	s->odd |= TN_CTF2_ODD_CUT;
	s->at = s->n;
	return TN_END;
}
