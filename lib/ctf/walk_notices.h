/* walk_notices.h - the rows of a packet that are not events: losses, damage */
#ifndef TN_CTF_WALK_NOTICES_H
#define TN_CTF_WALK_NOTICES_H

#include "base/str.h"
#include "ctf/stream.h"
#include "plan/machine.h"

enum { TN_CTF_TOLD_BACKWARD = 1, TN_CTF_TOLD_CUT = 2 };	/* bits of mark.told: problems already reported */

struct tn_ctf_walk {
	const struct tn_stream *stream;
	const struct tn_stream_class *sc;
	const struct tn_plan *plan;
	const struct tn_clock *clock;	/* NULL: no times */
	const struct tn_packet *entry;
	struct tn_machine m;
	struct tn_ctf_slots slots;
	bool general;

	/* Walk only. */
	struct tn_batch *b;
	size_t limit;
	uint64_t frequency;	/* frequency of the clock, if times fit into 64 bits on the way; else 0 */
	int64_t base;		/* time of clock value 0 */
	int64_t key, key_limit;
	uint64_t lost_rows;	/* rows of losses at the packet's begin */
	uint32_t told;
	bool no_memory;
	bool again;		/* the packet was counted in vain: its rows are needed */

	/* Results of a run. */
	uint64_t events;
	bool damaged;		/* an event was left out, or (counting) a time goes back */
	enum tn_trouble trouble;
	enum { TN_CTF_NO_STOP, TN_CTF_STOP_TROUBLE, TN_CTF_STOP_NO_CLASS, TN_CTF_STOP_NO_SIZE } stop;
	uint64_t stop_id;
};

/* "packet 17 at byte 69632: "; tn_ctf_damage() takes it over. */
struct tn_str tn_ctf_notice_begin(const struct tn_ctf_walk *w);
void tn_ctf_damage(struct tn_ctf_walk *w, uint64_t bit, struct tn_str *text);

/* Whether the index file and the packet differ. */
bool tn_ctf_index_lies(const struct tn_ctf_walk *w, const struct tn_ctf_header *h);

/* Rows at the start of a packet, before its events; those before mark.row were already given. */
void tn_ctf_begin_notices(struct tn_ctf_walk *w, const struct tn_ctf_header *h);
/* The event at which the walk stopped, and why. */
void tn_ctf_stop_notice(struct tn_ctf_walk *w, const struct tn_ctf_header *h);
/* The file ends before the packet. */
void tn_ctf_cut_notice(struct tn_ctf_walk *w, const struct tn_ctf_header *h);
/* Add the notice of a packet that cannot be decoded. */
void tn_ctf_bad_notice(struct tn_ctf_walk *w, enum tn_ctf_flaw flaw, const struct tn_ctf_header *h, const struct tn_error *why);

#endif
