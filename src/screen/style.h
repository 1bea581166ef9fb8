/*
 * style.h - what a piece of text means; the terminal decides how that looks
 */
#ifndef STYLE_H
#define STYLE_H

enum style {
	STYLE_TEXT,
	STYLE_DIM,	/* text of less importance */
	STYLE_TIME,
	STYLE_ORIGIN,
	STYLE_NAME,	/* name of an event */
	STYLE_FIELD,	/* name of a field */
	STYLE_STRING,
	STYLE_LOSS,	/* lost events and packets */
	STYLE_DAMAGE,
	STYLE_HEADING,	/* heading of columns */
	STYLE_STATUS,	/* the bar at the bottom */
	STYLE_STATUS_NOTE,	/* a note in that bar: running jobs, filters */
	STYLE_KEY,	/* a key in the help */
	STYLE_ERROR,
	STYLE_BAR,	/* bar of a histogram */
	STYLE_HIT,	/* hits of the search, in front of that bar */
	STYLE_WARNING,	/* event of a log level that reports a problem */
	/* Names of events: the same name has the same colour, in every trace. */
	STYLE_CLASS,
	STYLE_CLASS_LAST = STYLE_CLASS + 7,
	/* The styles that the user's rules ask for. */
	STYLE_RED, STYLE_GREEN, STYLE_YELLOW, STYLE_BLUE, STYLE_MAGENTA, STYLE_CYAN, STYLE_BOLD, STYLE_UNDERLINE,
	STYLE_REVERSE,
	/* States over time, a colour each; the last colour is for all other states. */
	STYLE_STATE,
	STYLE_STATE_LAST = STYLE_STATE + 12,
	/* The number of values in a cell of a plot: more values are brighter on a dark background. */
	STYLE_DENSITY,
	STYLE_DENSITY_LAST = STYLE_DENSITY + 7,
	STYLES,

	/* Flags, added to a style. */
	STYLE_SELECTED = 0x100,
	STYLE_MATCH = 0x200,
	STYLE_FOCUS = 0x400,	/* the bytes of the chosen field */
	STYLE_KIND = 0xff,
	STYLE_BEHIND = 0x800	/* times 1 + n: the text has the colour of STYLE_STATE + n as its background */
};
#define STYLE_ON_STATE(n) (((n) + 1u) * STYLE_BEHIND)

/* The background of the text. */
enum background { BACKGROUND_AUTO, BACKGROUND_DARK, BACKGROUND_LIGHT, BACKGROUNDS };

#define STYLE_CLASSES (STYLE_CLASS_LAST - STYLE_CLASS + 1)

#endif
