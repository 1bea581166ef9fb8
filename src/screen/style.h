/* style.h - styles by meaning; the terminal module decides their colours */
#ifndef STYLE_H
#define STYLE_H

enum style {
	STYLE_TEXT,
	STYLE_DIM,	/* less important text */
	STYLE_TIME,
	STYLE_ORIGIN,
	STYLE_NAME,	/* name of an event */
	STYLE_FIELD,	/* name of a field */
	STYLE_STRING,
	STYLE_LOSS,	/* lost events and packets */
	STYLE_DAMAGE,
	STYLE_HEADING,	/* heading of columns */
	STYLE_STATUS,	/* the bar at the bottom */
	STYLE_STATUS_NOTE,	/* a note in the bar at the bottom: running jobs, filters */
	STYLE_KEY,	/* a key in the help */
	STYLE_ERROR,
	STYLE_BAR,	/* bar of a histogram */
	STYLE_HIT,	/* hits of a search, drawn over a histogram's bar */
	STYLE_WARNING,	/* event whose log level reports a problem */
	/* Names of events; a name has the same colour in every trace. */
	STYLE_CLASS,
	STYLE_CLASS_LAST = STYLE_CLASS + 7,
	/* Styles for rules of the user. */
	STYLE_RED, STYLE_GREEN, STYLE_YELLOW, STYLE_BLUE, STYLE_MAGENTA, STYLE_CYAN, STYLE_BOLD, STYLE_UNDERLINE,
	STYLE_REVERSE,
	/* States over time, each with its own colour; further states share the last one. */
	STYLE_STATE,
	STYLE_STATE_LAST = STYLE_STATE + 12,
	/* Cells of a plot by their number of values; on a dark background, more values are brighter. */
	STYLE_DENSITY,
	STYLE_DENSITY_LAST = STYLE_DENSITY + 7,
	STYLES,

	/* Flags, which can be added to a style. */
	STYLE_SELECTED = 0x100,
	STYLE_MATCH = 0x200,
	STYLE_FOCUS = 0x400,	/* bytes of the chosen field */
	STYLE_KIND = 0xff,
	STYLE_BEHIND = 0x800	/* this value * (n + 1): the background has the colour of STYLE_STATE + n */
};
#define STYLE_ON_STATE(n) (((n) + 1u) * STYLE_BEHIND)

/* The background of the text. */
enum background { BACKGROUND_AUTO, BACKGROUND_DARK, BACKGROUND_LIGHT, BACKGROUNDS };

#define STYLE_CLASSES (STYLE_CLASS_LAST - STYLE_CLASS + 1)

#endif
