/* lanes_picture.h - the picture of a window of lanes, and the job that makes it */
#ifndef VIEWS_LANES_PICTURE_H
#define VIEWS_LANES_PICTURE_H

#include <pthread.h>

#include <tnav/answer.h>

#include "session/session.h"

struct picture {
	size_t lanes, columns, states;
	char **lane;		/* names of lanes, safe for a terminal */
	struct tn_answer_value *value;	/* by lane; owns the texts */
	char **name;		/* names of states, unchanged; [0] is NULL */
	uint32_t *cell;		/* by lane and column, with the values of struct tn_lane */
	uint32_t *mark;		/* by column: marks of struct tn_lanes_picture */
	/* TN_LANE_SHARES of each cell, if there are few lanes; else NULL. From below: the longest states, and idle last. */
	struct stack_part { uint32_t state; float until; } *stack;	/* up to this share of its height; state 0: none */
	int64_t first_ns, last_ns;	/* range of the traces; cells outside have no states */
	char **state;		/* safe names of the states; [0] is "" */
	uint64_t *state_ns;
	char *letter;		/* letter of each state */
	uint8_t *color;		/* number of each state's colour */
	bool *idle;		/* by state: whether the processor does nothing */
	size_t *longest;	/* states, the longest first */
	bool is_elsewhere;	/* some hits are not in a lane */
	int64_t begin_ns, end_ns, *time_ns;	/* begin of each column, and the end */
	uint64_t left_out;
	size_t known;		/* number of columns that are final; the others are guesses */
	const struct tn_nicknames *names;	/* the names in `lane` and `state` */
};

struct drawing {
	char *text;
	size_t columns;
	int64_t begin_ns, end_ns;
	double events_ns;	/* approximate number of events in a nanosecond; 0: unknown */
	struct query *hits;	/* query of the search; NULL: none */
	bool few_colors;
	struct tn_lanes_memory *memory;	/* recording of an earlier picture, then of this one; NULL: none */
	int (*progress)(void *user, uint64_t read, uint64_t passed, int64_t at_ns);
	struct tn_lanes *exact, *guess;	/* for the job's thread only */
	bool guessed;		/* all columns have a guess */
	struct tn_scan_options scan;
	uint64_t next_us;	/* earliest time of the next picture */
	pthread_mutex_t lock;	/* protects the next two members */
	bool has_picture;
	struct picture picture;
	void *view;		/* for the app's thread only */
};

void picture_release(struct picture *p);
/* Add names to the numbers of lanes and states, for this definition: "403 httpd". */
void picture_names(struct picture *p, const char *definition, const struct tn_nicknames *names);

/* The times of the states in a cell, the longest first. */
#define SHARES 6
struct cell_shares {
	size_t lane;
	int64_t begin_ns, end_ns;
	size_t n;			/* 0: not known yet */
	struct {
		char name[64];		/* safe for a terminal; "": no state */
		uint64_t ns;
	} item[SHARES];
	bool more;			/* the cell has more states */
};

/* Functions for a job whose data are a drawing. */
void drawing_run(struct job *job);
void drawing_free(void *drawing);

/* The job that adds up the times in a cell, only from the recording. */
struct sharing {
	char *text;			/* definition of the lanes */
	struct tn_answer_value lane;	/* owns its text */
	struct tn_lanes_memory *memory;
	struct cell_shares shares;
	void *view;			/* for the app's thread only */
};

/* NULL: memory is out. */
struct sharing *sharing_new(const char *text, const struct picture *p, const struct cell_shares *cell,
			    struct tn_lanes_memory *memory);
void sharing_run(struct job *job);
void sharing_free(void *sharing);

/* Finds the event that began the state of a cell. */
struct finding {
	char *text;		/* definition of the lanes */
	struct tn_answer_value lane;	/* owns its text */
	char *state;
	int64_t begin_ns, end_ns;	/* time range of the cell */
	struct tn_location at;
	bool found;
};

bool finding_of(struct finding *out, const char *text, const struct picture *p, size_t lane, size_t column, int64_t begin_ns,
		int64_t end_ns);
void finding_run(struct job *job);
void finding_free(void *finding);

#endif
