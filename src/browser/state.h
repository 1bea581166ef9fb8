/* state.h - the state of the browser: all its parts, which app.c connects */
#ifndef STATE_H
#define STATE_H

#include "command/command.h"
#include "examples.h"
#include "prompt/prompt_line.h"
#include "reopen/follow.h"
#include "reopen/session_file.h"
#include "reopen/reopen.h"
#include "screens.h"
#include "select/counts.h"
#include "select/filters.h"
#include "select/selection.h"
#include "travel/jumps.h"

struct app {
	struct session session;
	struct canvas canvas;
	struct keymap keymap;
	struct screens screens;
	struct prompt_line prompt;
	struct examples examples;	/* valid while prompt.examples is set */
	struct jumps jumps;
	struct call then;	/* action to run when the jump has found its event; ACT_NONE: none */
	struct counts counts;
	struct filters filters;
	struct follow follow;
	struct selection selection;
	struct session_file session_file;
	size_t commands_run;	/* number of commands of the command line that were run */
	bool started;		/* counting has started, so the time range is known */
	bool quit, failed;
	uint64_t drawn_us;	/* time of the last drawing of the screen */

	/* Keys of an incomplete key sequence. */
	uint32_t key[KEY_SEQUENCE];
	size_t n_keys;
	uint64_t count;
	enum action wants_letter;	/* action that waits for a letter; ACT_NONE: none */

	int idle_fd;		/* for tests: written to when the screen is drawn and no work is left */
	uint64_t keys_seen;
	char idle_last[64];
};

#endif
