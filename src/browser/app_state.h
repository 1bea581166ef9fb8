/*
 * app_state.h - the browser's inside, shared by the files that are the app: app.c (loop, keys,
 * drawing), act.c (what actions do), find.c (jobs that look for a place), command.c (`:`), status.c
 */
#ifndef APP_STATE_H
#define APP_STATE_H

#include "screen/canvas.h"
#include "session/keymap.h"
#include "prompt.h"
#include "session/session.h"
#include "views/events.h"
#include "views/list.h"
#include "views/view.h"

#define SCREENS 8		/* views one above the other */
#define JUMPS 100

enum asking { ASK_NOTHING, ASK_SEARCH, ASK_FILTER, ASK_TIME, ASK_COMMAND, ASK_NOTE };
enum { HISTORY_SEARCH, HISTORY_FILTER, HISTORY_TIME, HISTORY_COMMAND, HISTORIES };

/* Panes below the events. */
enum { PANE_DETAILS, PANE_BYTES, PANES };

struct app {
	struct session session;	/* first: jobs find the app by it */
	struct canvas canvas;
	struct keymap keymap;
	struct view *screen[SCREENS];	/* [0]: the events */
	size_t n_screens;
	struct view *pane[PANES];	/* or NULL */
	int focus;		/* -1: the screen; else a pane */
	bool maximised;
	bool dirty, quit, started;
	int status;		/* exit status */
	uint64_t drawn_us;	/* when the screen was drawn last */

	/* Keys typed so far. */
	uint32_t key[KEY_SEQUENCE];
	size_t n_keys;
	uint64_t count;
	enum action wants_letter;	/* ACT_NONE, or the action that waits for one */

	enum asking asking;
	bool asking_backward;
	struct prompt prompt;
	struct history history[HISTORIES];
	char prompt_error[MESSAGE_SIZE];
	struct tn_regex *mark_before;	/* while a search is typed */

	/* A jump that waits for the index: to a place, or to what `t` makes of the text once the range is known. */
	struct {
		bool is;
		struct place place;
		enum align align;
		char *text;	/* NULL: the place */
	} later;

	struct tn_location jump[JUMPS];	/* oldest first */
	size_t n_jumps, at_jump;	/* at_jump == n_jumps: not in the history */

	/* Filters as they were before the change that is on its way. */
	struct condition *undo;
	size_t n_undo;
	struct query *undo_query;
	bool has_undo;

	struct job *matches_job, *count_job;
	bool wants_matches;	/* they are to be counted when there is time */
	bool following, follow_paused;
	uint64_t follow_size;	/* bytes of the files when they were looked at last */
	struct tn_set *own_set;	/* opened again; NULL: the caller's is open */
	int idle_fd;		/* told when the screen is drawn and nothing is going on; for tests */
	uint64_t keys_seen;
	char idle_last[64];
};

/* app.c */
struct view *app_top(struct app *a);	/* the screen on top */
struct view *app_active(struct app *a);	/* where keys go */
void app_reply(struct app *a, struct view *v, unsigned reply);	/* do what a view's reply asks for */
void app_push(struct app *a, const struct view_class *class);
void app_pop(struct app *a);
void app_to_events(struct app *a);
void app_toggle_pane(struct app *a, const struct view_class *class, int pane);
void app_layout(struct app *a);

/* Another set in place of the one that is open; it is the app's from now on. False: nothing is open any more. */
bool app_change_set(struct app *a, struct tn_set *set, struct tn_error *err);

/* reload.c */
void app_reload(struct app *a, bool to_end);
void app_follow(struct app *a);
void app_follow_turn(struct app *a);	/* look now and then whether the files have grown */

/* offset.c */
void app_offset(struct app *a, const char *which, const char *span);
void app_align(struct app *a, bool off);
void offsets_free(struct tn_trace_offset *offset, size_t n);

/* act.c */
void app_act(struct app *a, const struct call *call);
void app_go(struct app *a, const struct place *place, enum align align);	/* remembers where it came from */
bool app_forget_later(struct app *a);	/* whether a jump was waiting */
int64_t app_later_time(const struct app *a);	/* how far the index must reach for it */
void app_go_later(struct app *a);	/* the index has reached it */
bool app_go_time(struct app *a, const char *text, struct tn_error *err);
void app_ask(struct app *a, enum asking what, const char *lead, const char *text);
void app_answered(struct app *a);	/* the prompt is done */
void app_prompt_changed(struct app *a);
void app_prompt_closed(struct app *a);
void app_letter(struct app *a, enum action action, uint32_t key);
void app_remember_jump(struct app *a);

/* filter.c */
bool app_add_condition(struct app *a, const char *text, struct tn_error *err);
void app_clear_conditions(struct app *a);
void app_toggle_conditions(struct app *a, uint64_t which);
void app_undo_filter(struct app *a, bool stopped);	/* what is on its way does not come */
void app_keep_filter(struct app *a);
void app_new_query(struct app *a, bool refresh);	/* time format or conditions changed */
void app_count_matches(struct app *a);
void app_matches_turn(struct app *a);
void app_context(struct app *a, int more);	/* events around matches */
void conditions_free(struct condition *condition, size_t n);

/* find.c */
enum find_kind {
	FIND_SEARCH, FIND_STREAM, FIND_TYPE, FIND_VALUE, FIND_PROBLEM, FIND_GAP, FIND_NUMBER, FIND_SKIP
};
void app_find(struct app *a, enum find_kind kind, bool backward, uint64_t count);
bool app_set_search(struct app *a, const char *pattern, bool backward, struct tn_error *err);
void app_search_value(struct app *a, bool backward);
void app_start_count(struct app *a);
void app_where(struct app *a);
void app_packet(struct app *a, bool backward, uint64_t count);
void app_go_byte(struct app *a, uint64_t byte, uint64_t bit);	/* of the stream's file; bits from that byte on */

/* marks.c */
void app_mark(struct app *a, char letter, const char *note);
void app_toggle_bookmark(struct app *a);
void app_remove_bookmark(struct app *a, size_t i);
bool app_go_mark(struct app *a, char letter);
void app_go_bookmark(struct app *a, bool backward, uint64_t count);

/* command.c */
void app_command(struct app *a, const char *text);
void app_complete(struct app *a);
const struct command_help *command_helps(void);	/* an entry without usage is behind the last */
/* One line of the configuration, or of `:set` and `:bind`; false: *err says what is wrong. */
bool app_configure(struct app *a, const char *line, struct tn_error *err);

/* "5ms", "1.5s", "200us", with or without a sign; a number alone is nanoseconds. */
bool span_parse(const char *text, int64_t *out, struct tn_error *err);

/* config.c */
bool config_read(struct app *a, struct tn_error *err);	/* false: the file is wrong; *err names file and line */

/* copy.c */
void app_copy(struct app *a, bool as_lines);
void app_write(struct app *a, const char *path, const char *format, bool force);

/* status.c */
void status_draw(struct app *a, int row);
int message_rows(const struct app *a);	/* the last line may be several */
void message_draw(struct app *a, int row, int rows);

#endif
