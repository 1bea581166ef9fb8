/* walk_notices.h - the rows of a packet that are not events: losses and damage */
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
	const struct tn_clock *clock;	/* NULL: events have no times */
	const struct tn_packet *entry;
	struct tn_machine m;
	struct tn_ctf_slots slots;
	bool general;

	/* Members for the walk. */
	struct tn_batch *b;
	size_t limit;
	uint64_t frequency;	/* frequency of the clock, if the computation of times fits into 64 bits; otherwise 0 */
	int64_t base;		/* time of clock value 0 */
	int64_t key, key_limit;
	uint64_t lost_rows;	/* number of loss rows at the start of the packet */
	uint32_t told;
	bool no_memory;
	bool again;		/* counting failed, so the rows of the packet are needed */

	/* Results of a run. */
	uint64_t events;
	bool damaged;		/* an event was left out; when counting, also: a time goes back */
	enum tn_trouble trouble;
	enum { TN_CTF_NO_STOP, TN_CTF_STOP_TROUBLE, TN_CTF_STOP_NO_CLASS, TN_CTF_STOP_NO_SIZE } stop;
	uint64_t stop_id;
};

/* Begin a text with "packet 17 at byte 69632: "; tn_ctf_damage() takes ownership of it. */
struct tn_str tn_ctf_notice_begin(const struct tn_ctf_walk *w);
void tn_ctf_damage(struct tn_ctf_walk *w, uint64_t bit, struct tn_str *text);

/* Whether the index file and the packet differ. */
bool tn_ctf_index_lies(const struct tn_ctf_walk *w, const struct tn_ctf_header *h);

/* Add the rows before the events of a packet; rows before mark.row were already added. */
void tn_ctf_begin_notices(struct tn_ctf_walk *w, const struct tn_ctf_header *h);
/* Add the notice of the event at which the walk stopped, with the reason. */
void tn_ctf_stop_notice(struct tn_ctf_walk *w, const struct tn_ctf_header *h);
/* Add the notice that the file ends before the packet does. */
void tn_ctf_cut_notice(struct tn_ctf_walk *w, const struct tn_ctf_header *h);
/* Add the notice of a packet that cannot be decoded. */
void tn_ctf_bad_notice(struct tn_ctf_walk *w, enum tn_ctf_flaw flaw, const struct tn_ctf_header *h, const struct tn_error *why);

#endif
