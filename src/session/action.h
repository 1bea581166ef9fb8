/*
 * action.h - all actions of keys
 *
 * One list gives each action its constant, its name in `bind` lines and on the command line, and its help. The groups are
 * only headings of the help.
 */
#ifndef ACTION_H
#define ACTION_H

#include <stdbool.h>
#include <stdint.h>

#include "gettext.h"

#define ACTIONS(A) \
	A(MOVE, EVENT_NEXT, "event-next", N_("next event or line")) \
	A(MOVE, EVENT_PREVIOUS, "event-previous", N_("previous event or line")) \
	A(MOVE, SCROLL_DOWN, "scroll-down", N_("scroll one line down, the cursor stays")) \
	A(MOVE, SCROLL_UP, "scroll-up", N_("scroll one line up, the cursor stays")) \
	A(MOVE, PAGE_DOWN, "page-down", N_("a page down")) \
	A(MOVE, PAGE_UP, "page-up", N_("a page up")) \
	A(MOVE, HALF_DOWN, "half-page-down", N_("half a page down")) \
	A(MOVE, HALF_UP, "half-page-up", N_("half a page up")) \
	A(MOVE, FIRST, "first", N_("first event; with a count, the event of that number")) \
	A(MOVE, LAST, "last", N_("last event; with a count, the event of that number")) \
	A(MOVE, PERCENT, "percent", N_("with a count: that percentage of the time span")) \
	A(MOVE, LEFT, "scroll-left", N_("scroll half a screen to the left")) \
	A(MOVE, RIGHT, "scroll-right", N_("scroll half a screen to the right")) \
	A(MOVE, FIRST_COLUMN, "first-column", N_("back to the first column")) \
	A(MOVE, VIEW_MIDDLE, "cursor-middle", N_("put the cursor's line in the middle")) \
	A(MOVE, VIEW_TOP, "cursor-top", N_("put the cursor's line at the top")) \
	A(MOVE, VIEW_BOTTOM, "cursor-bottom", N_("put the cursor's line at the bottom")) \
	A(JUMP, GOTO_TIME, "goto-time", N_("go to a time: hh:mm:ss, date and time, seconds, @ns, +5ms, 40%, -10%, end")) \
	A(JUMP, STREAM_NEXT, "stream-next", N_("next event of the same stream")) \
	A(JUMP, STREAM_PREVIOUS, "stream-previous", N_("previous event of the same stream")) \
	A(JUMP, TYPE_NEXT, "type-next", N_("next event of the same type")) \
	A(JUMP, TYPE_PREVIOUS, "type-previous", N_("previous event of the same type")) \
	A(JUMP, VALUE_NEXT, "value-next", N_("next event with the value of the chosen field")) \
	A(JUMP, VALUE_PREVIOUS, "value-previous", N_("previous event with the value of the chosen field")) \
	A(JUMP, PACKET_NEXT, "packet-next", N_("next packet of this stream")) \
	A(JUMP, PACKET_PREVIOUS, "packet-previous", N_("start of this packet, then of the previous packet")) \
	A(JUMP, PROBLEM_NEXT, "problem-next", N_("next problem: loss, damage, time going back")) \
	A(JUMP, PROBLEM_PREVIOUS, "problem-previous", N_("previous problem")) \
	A(JUMP, GAP_NEXT, "gap-next", N_("next gap longer than the setting `gap`")) \
	A(JUMP, GAP_PREVIOUS, "gap-previous", N_("previous gap longer than the setting `gap`")) \
	A(JUMP, BOOKMARK_NEXT, "bookmark-next", N_("next bookmark")) \
	A(JUMP, BOOKMARK_PREVIOUS, "bookmark-previous", N_("previous bookmark")) \
	A(JUMP, JUMP_BACK, "jump-back", N_("back to where the last jump began")) \
	A(JUMP, JUMP_FORWARD, "jump-forward", N_("forward again")) \
	A(JUMP, RESTORE, "restore", N_("back to the stored place of these traces, with its marks and filters")) \
	A(JUMP, MARK_SET, "mark-set", N_("then a letter: mark this place; m: bookmark on or off; M: with a note")) \
	A(JUMP, MARK_GO, "mark-go", N_("then a letter: go to that mark; ': the last place")) \
	A(FIND, SEARCH_FORWARD, "search-forward", N_("search forward for a regular expression")) \
	A(FIND, SEARCH_BACKWARD, "search-backward", N_("search backward")) \
	A(FIND, SEARCH_NEXT, "search-next", N_("repeat the search")) \
	A(FIND, SEARCH_PREVIOUS, "search-previous", N_("repeat it in the other direction")) \
	A(FIND, SEARCH_CLEAR, "search-clear", N_("clear the marks of the search")) \
	A(FIND, WORD_FORWARD, "value-search-forward", N_("search forward for the value of the chosen field")) \
	A(FIND, WORD_BACKWARD, "value-search-backward", N_("search backward for the value of the chosen field")) \
	A(FIND, FILTER, "filter", N_("add a filter: RE, !RE, or FIELD OP VALUE; empty: remove all")) \
	A(FIND, EXCLUDE, "exclude", N_("hide the event class, value, stream or group of this line")) \
	A(FIND, FILTER_REMOVE, "filter-remove", N_("remove the last filter")) \
	A(FIND, FILTERS, "filters", N_("list of filters: on and off, order, edit")) \
	A(FIND, FILTER_TOGGLE, "filter-toggle", N_("all filters off or on; with a count, that filter")) \
	A(FIND, CONTEXT_MORE, "context-more", N_("filtered: more events around what matches")) \
	A(FIND, CONTEXT_LESS, "context-less", N_("filtered: fewer events around what matches")) \
	A(SHOW, DETAILS, "details", N_("open or close the details of the event")) \
	A(SHOW, PANE_NEXT, "pane-next", N_("make the next pane the active one")) \
	A(SHOW, PANE_MAXIMISE, "pane-maximise", N_("give this pane the whole screen, or take it back")) \
	A(SHOW, OPEN, "open", N_("open the selected line")) \
	A(SHOW, BYTES, "bytes", N_("bytes of the event: hexadecimal, bits, off")) \
	A(SHOW, WHERE, "where", N_("show the place: number, packet, stream, file, time in all forms")) \
	A(SHOW, PACKETS, "packets", N_("packets of this stream")) \
	A(SHOW, STREAMS, "streams", N_("traces and streams")) \
	A(SHOW, STATISTICS, "statistics", N_("numbers by event type and stream; in the details: the distribution of the field")) \
	A(SHOW, SPANS, "spans", N_("durations: pairs of begin and end events")) \
	A(SHOW, LANES, "lanes", N_("states over time, one lane for each value of a field")) \
	A(SHOW, PLOT, "plot", N_("the last plot of a number over time; in the details: plot the field")) \
	A(SHOW, FLAME, "flame", N_("flame graph: stacks of functions, spans or samples, as wide as their time")) \
	A(SHOW, CALLERS, "callers", N_("flame graph: the callers of each frame, or its callees")) \
	A(SHOW, LADDER, "ladder", N_("ladder: events in lanes of streams, threads or processors, with arrows")) \
	A(SHOW, TRAVEL, "follow-value", N_("only events with the value of the field, or of the span, in all streams")) \
	A(SHOW, ANSWER, "answer", N_("the last answer again: :span, :by, :ask")) \
	A(SHOW, WHY, "why", N_("why: compare the selected events, or spans this long, with the others")) \
	A(SHOW, COMPARE, "compare", N_("compare two ranges, or the time between two marks with the rest")) \
	A(SHOW, SPAN_END, "span-end", N_("go to the end of the span; in the events: from begin to end and back")) \
	A(SHOW, NEST, "nest", N_("nested spans, sorted by begin")) \
	A(SHOW, CHAIN, "chain", N_("wait chain of the span: why its thread waited")) \
	A(SHOW, HISTOGRAM, "histogram", N_("events over time")) \
	A(SHOW, PROBLEMS, "problems", N_("list of problems")) \
	A(SHOW, METADATA, "metadata", N_("metadata of the trace, types of its events")) \
	A(SHOW, BOOKMARKS, "bookmarks", N_("bookmarks and marks")) \
	A(SHOW, COLUMNS, "columns", N_("choose and order the columns; in the details: add the field as a column")) \
	A(SHOW, TIME_FORMAT, "time-format", N_("next time format")) \
	A(SHOW, DELTA, "delta", N_("next kind of delta")) \
	A(SHOW, ORIGIN_SET, "origin-set", N_("show times relative to the cursor")) \
	A(SHOW, ORIGIN_CLEAR, "origin-clear", N_("stop showing times relative to the cursor")) \
	A(SHOW, LOSSES, "losses", N_("hide or show the rows of losses and damage")) \
	A(SHOW, WRAP, "wrap", N_("wrap long lines, or cut them")) \
	A(SHOW, SORT, "sort", N_("sort by the next column; text or types")) \
	A(SHOW, TOGGLE, "toggle", N_("switch the line on or off")) \
	A(SHOW, PIN, "pin", N_("pin the column, or let it scroll sideways")) \
	A(SHOW, ITEM_UP, "item-up", N_("move the line up")) \
	A(SHOW, ITEM_DOWN, "item-down", N_("move the line down")) \
	A(SHOW, WIDER, "wider", N_("make the column wider")) \
	A(SHOW, NARROWER, "narrower", N_("make the column narrower")) \
	A(SHOW, ZOOM_IN, "zoom-in", N_("zoom in: show less time")) \
	A(SHOW, ZOOM_OUT, "zoom-out", N_("zoom out: show more time")) \
	A(SHOW, RANGE_BEGIN, "range-begin", N_("the range begins here")) \
	A(SHOW, RANGE_END, "range-end", N_("the range ends here: show only its events")) \
	A(SHOW, RANGE_CLEAR, "range-clear", N_("remove the range: show all times again")) \
	A(SHOW, REMOVE, "remove", N_("remove the line")) \
	A(WORK, SELECT, "select", N_("select a range of events from here")) \
	A(WORK, COPY, "copy", N_("copy the event or the range as it is shown")) \
	A(WORK, COPY_LINES, "copy-lines", N_("copy as lines of text, as --print writes them")) \
	A(WORK, FOLLOW, "follow", N_("follow a growing trace")) \
	A(WORK, RELOAD, "reload", N_("open the files again")) \
	A(WORK, COMMAND, "command", N_("command line; enter a time to go there")) \
	A(WORK, REDRAW, "redraw", N_("draw the screen again")) \
	A(WORK, SUSPEND, "suspend", N_("suspend; fg comes back")) \
	A(WORK, CANCEL, "cancel", N_("stop the running job")) \
	A(WORK, HELP, "help", N_("this help")) \
	A(WORK, CLOSE, "close", N_("back to the previous view; leave if there is none")) \
	A(WORK, ESCAPE, "escape", N_("stop the running job, or close the innermost view")) \
	A(WORK, QUIT, "quit", N_("leave"))

#define ACTION_GROUPS(G) \
	G(MOVE, N_("Moving")) G(JUMP, N_("Jumping")) G(FIND, N_("Searching and filtering")) \
	G(SHOW, N_("Viewing")) G(WORK, N_("Working"))

enum action {
	ACT_NONE,
#define A(group, name, text, help) ACT_##name,
	ACTIONS(A)
#undef A
	ACTIONS_END
};

enum action_group {
#define G(name, heading) GROUP_##name,
	ACTION_GROUPS(G)
#undef G
	ACTION_GROUPS_END
};

struct action_info {
	const char *name;
	const char *help;	/* translate with _() */
	enum action_group group;
};

const struct action_info *action_info(enum action action);
const char *action_group_heading(enum action_group group);
enum action action_find(const char *name);	/* ACT_NONE: no action has the name */

/* An action, with the count or letter that the user typed. */
struct call {
	enum action action;
	uint64_t count;		/* 0: no count was typed */
	uint32_t key;		/* the letter typed after MARK_SET and MARK_GO */
	bool of_row;		/* the event is that of a row in a table of spans */
};

#endif
