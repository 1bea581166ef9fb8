/* nicknames.h - the list of names that events give to numbers, while it is made */
#ifndef TN_GROUP_NICKNAMES_H
#define TN_GROUP_NICKNAMES_H

#include <tnav/answer.h>

#include "base/array.h"
#include "base/str.h"

#define TN_NO_HOST UINT32_MAX

/* TN_NICKNAME_OWNED: an object that belongs to another object. */
enum tn_nickname_kind {
	TN_NICKNAME_THREAD, TN_NICKNAME_VTHREAD, TN_NICKNAME_OBJECT, TN_NICKNAME_OWNED, TN_NICKNAME_SOFTIRQ, TN_NICKNAME_STATE,
};

/* The first four members are the key; of several names for a key, the latest counts. */
struct tn_nickname {
	uint64_t number;
	uint64_t process;	/* process of an object; otherwise 0 */
	uint32_t host, kind;
	int64_t time_ns;
	uint64_t owner;		/* with TN_NICKNAME_OWNED: address of the owner */
	uint32_t text, n;	/* position of the text in the texts, and its size; a NUL follows */
};

/* The name of an event, borrowed from its class, and its description, as a position in the descriptions. */
struct tn_described {
	const char *name;
	size_t text;
};

struct tn_nicknames {
	const struct tn_set *set;
	TN_ARRAY(struct tn_nickname) name;
	TN_ARRAY(char *) host;
	struct tn_str texts;
	TN_ARRAY(struct tn_described) event;	/* sorted by name */
	struct tn_str descriptions;
	bool is_full, no_memory;
	unsigned fixed;		/* one bit for each kind that has fixed names, if the kind occurs in the traces */
	bool is_virtual;	/* a thread has another number in its container */
};

/* The number of a host; TN_NO_HOST: the name is absent, or memory is out (no_memory). */
uint32_t tn_nicknames_host(struct tn_nicknames *k, const char *host, size_t n);
/* Add a name: @n bytes of @text. A failure sets no_memory or is_full. */
void tn_nicknames_add(struct tn_nicknames *k, const struct tn_nickname *as, const char *text, size_t n);

/* nicknames_read.c: read all names, in any order. */
enum tn_code tn_nicknames_read(struct tn_nicknames *k, const struct tn_scan_options *options, struct tn_error *err);
/* Whether some event class gives names of the kind. */
bool tn_nicknames_exist(const struct tn_set *set, enum tn_nickname_kind kind);

#endif
