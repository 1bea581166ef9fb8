/* types.c - what tn_record() takes in C. With WRONG defined: an expression that must not compile. */
#include <stdio.h>

#include <tnav/recorder.h>

int
main(void)
{
	struct tn_recorder *r = NULL;
	struct own { int x; } object = { 1 };
	int ints[2] = { 1, 2 };
	char text[8] = "hi";
	int bad = 0;

	(void)object, (void)ints;
	bad |= tn_record(r, 1, 5) != TN_ERR_ARGUMENT;
	bad |= tn_record(r, 1, 5.0) != TN_ERR_ARGUMENT;
	bad |= tn_record(r, 1, text) != TN_ERR_ARGUMENT;
	bad |= tn_record(r, 1, "text") != TN_ERR_ARGUMENT;
	bad |= tn_record(r, 1, (bool)1) != TN_ERR_ARGUMENT;
#ifdef WRONG
	tn_record(r, 1, WRONG);
#endif
	return bad;
}
