/* lanes.c - the answer --lanes: states over time as text */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "gettext.h"
#include "screen/nicknames.h"

#define COLUMNS 80

struct printer {
	struct answer answer;
	struct tn_lanes *lanes;
	struct tn_lanes_picture picture;
	const char *by;		/* field that makes the lanes */
	char *of;		/* field of the states; owned */
};

static int
print_json(struct printer *p)
{
	const struct tn_lanes_picture *picture = &p->picture;
	struct tn_str *out = &p->answer.line;
	int status = 0;

	for (size_t i = 0; i < picture->lanes && !status; i++) {
		const struct tn_lane *lane = &picture->lane[i];

		put_text(out, "{\"lane\":");
		tn_answer_value_json(&lane->value, out);
		put_text(out, ",\"begin\":");
		put_number(out, picture->time_ns[0]);
		put_text(out, ",\"end\":");
		put_number(out, picture->time_ns[picture->columns]);
		put_text(out, ",\"cells\":[");
		for (size_t c = 0; c < picture->columns; c++) {
			const char *state = picture->state[lane->cell[c] & TN_LANE_STATE].name;

			put_text(out, c ? "," : "");
			if (state)
				tn_answer_json_string(state, strlen(state), out);
			else
				put_text(out, "null");
		}
		put_text(out, "],\"lost\":[");
		for (size_t c = 0, n = 0; c < picture->columns; c++) {
			if (!(lane->cell[c] & TN_LANE_LOST))
				continue;
			put_text(out, n++ ? "," : "");
			put_number(out, (int64_t)c);
		}
		put_text(out, "]}\n");
		status = answer_put(&p->answer);
	}
	return status;
}

static int
print_csv(struct printer *p)
{
	static const char *const names[] = { "lane", "begin", "end", "state" };
	const struct tn_lanes_picture *picture = &p->picture;
	int status = answer_table(&p->answer);

	for (size_t i = 0; !status && i < sizeof names / sizeof *names; i++)
		answer_column(&p->answer, (struct tn_table_column) { .name = names[i] });
	status = status ? status : answer_heading(&p->answer);
	for (size_t i = 0; i < picture->lanes && !status; i++)
		for (size_t c = 0; c < picture->columns && !status; c++) {
			const struct tn_answer_value row[4] = {
				picture->lane[i].value,
				tn_answer_number(true, picture->time_ns[c]),
				tn_answer_number(true, picture->time_ns[c + 1]),
				tn_answer_text(picture->state[picture->lane[i].cell[c] & TN_LANE_STATE].name),
			};

			status = answer_row(&p->answer, row);
		}
	return status;
}

/* Append the name of a lane, such as "403 httpd", made safe for a terminal. */
static void
lane_name(const struct printer *p, size_t i, struct tn_str *out)
{
	const struct tn_answer_value *v = &p->picture.lane[i].value;
	struct tn_str raw = { 0 };

	tn_answer_value_text(v, &raw);
	tn_text_safe(raw.text ? raw.text : "", raw.n, out);
	answer_put_name(&p->answer, p->by, v, out);
	out->failed |= raw.failed;
	tn_str_release(&raw);
}

static void
put_lane_name(struct printer *p, size_t i, int width)
{
	struct tn_str name = { 0 };

	lane_name(p, i, &name);
	put_column(&p->answer.line, name.text ? name.text : "", name.n, width);
	put_text(&p->answer.line, " ");
	tn_str_release(&name);
}

static int
name_width(struct printer *p)
{
	int width = 4;

	for (size_t i = 0; i < p->picture.lanes; i++) {
		struct tn_str name = { 0 };
		int needs;

		lane_name(p, i, &name);
		needs = column_width(name.text ? name.text : "", name.n);
		width = needs > width ? needs : width;
		tn_str_release(&name);
	}
	return width > 60 ? 60 : width;
}

static void
put_losses(struct printer *p, int width)
{
	struct tn_str *out = &p->answer.line;
	bool some = false;

	for (size_t c = 0; c < p->picture.columns && !some; c++)
		some = p->picture.mark[c] & TN_LANE_LOST;
	if (!some)
		return;
	put_column(out, _("lost"), strlen(_("lost")), width);
	put_text(out, " ");
	for (size_t c = 0; c < p->picture.columns; c++)
		put_text(out, p->picture.mark[c] & TN_LANE_LOST ? "!" : " ");
	put_text(out, "\n");
}

static int
print_text(struct printer *p)
{
	const struct tn_lanes_picture *picture = &p->picture;
	struct tn_str *out = &p->answer.line;
	int width = name_width(p), status = 0;

	put_column(out, "", 0, width + 1);
	tn_text_time(p->answer.text, picture->time_ns[0], out);
	put_text(out, " - ");
	tn_text_time(p->answer.text, picture->time_ns[picture->columns], out);
	put_text(out, "\n");
	for (size_t i = 0; i < picture->lanes && !status; i++) {
		put_lane_name(p, i, width);
		for (size_t c = 0; c < picture->columns; c++) {
			uint32_t cell = picture->lane[i].cell[c], state = cell & TN_LANE_STATE;
			char letter[2] = { cell & TN_LANE_LOST ? '!' : state ? picture->state[state].letter : '.', '\0' };

			put_text(out, letter);
		}
		put_text(out, "\n");
		status = answer_put(&p->answer);
	}
	put_losses(p, width);
	for (size_t i = 0; !status && i < picture->states; i++) {
		const struct tn_lane_state *state = &picture->state[picture->longest[i]];
		const struct tn_answer_value value = tn_answer_text(state->name);
		char letter[3] = { state->letter, ' ', '\0' };

		if (letter[0] == '*' || !state->ns)
			break;
		put_text(out, letter);
		tn_table_duration((double)state->ns, out);
		put_text(out, "  ");
		put_column(out, state->name, strlen(state->name), 0);
		answer_put_name(&p->answer, p->of, &value, out);
		put_text(out, "\n");
		status = answer_put(&p->answer);
	}
	return status;
}

static int
run(struct printer *p)
{
	struct job *job = p->answer.job;
	const struct options *o = job->options;
	int64_t begin_ns = job->begin_ns, end_ns = job->end_ns, first, last;
	struct tn_error err;
	enum tn_code rc = TN_OK;

	if (!job->has_begin || !job->has_end) {
		rc = tn_set_time_range(job->set, &first, &last, &err);
		begin_ns = job->has_begin ? begin_ns : first;
		end_ns = job->has_end ? end_ns : last;
	}
	if (rc == TN_END) {
		complain(NULL, _("no event has a time"));
		return 1;
	}
	if (end_ns <= begin_ns)
		end_ns = begin_ns < INT64_MAX ? begin_ns + 1 : begin_ns;
	if (rc == TN_OK)
		rc = tn_lanes_run(p->lanes, &p->answer.scan, begin_ns, end_ns,
				  o->columns ? (size_t)o->columns : COLUMNS, &err);
	if (rc == TN_OK)
		rc = tn_lanes_picture(&p->picture, p->lanes, NULL, &err);
	if (rc < 0)
		return answer_status(&p->answer, rc, &err);
	job->events = p->picture.lanes;
	if (o->as == FORMAT_JSON)
		print_json(p);
	else if (answer_form(&p->answer) == TN_TABLE_CSV)
		print_csv(p);
	else
		print_text(p);
	if (p->picture.left_out)
		complain(_("warning"), _("there are too many lanes: only the first are shown"));
	return 0;
}

/* Read "EVENT.FIELD by LANE", and find the field of the states; for spans, use their names. Returns 0 or the exit status. */
static int
find_names(struct printer *p)
{
	int status;

	nicknames_of_lanes(p->answer.job->options->lanes, &p->of, &p->by);
	status = answer_names(&p->answer, NULL, p->by);
	return status ? status : answer_names(&p->answer, NULL, p->of);
}

int
print_lanes(struct job *job)
{
	struct printer p = { 0 };
	struct tn_error err;
	int status;

	if (tn_lanes_new(&p.lanes, job->set, job->options->lanes, &err) != TN_OK)
		return job_failed(&err);
	status = answer_begin(&p.answer, job);
	if (!status)
		status = find_names(&p);
	if (!status)
		status = run(&p);
	status = answer_end(&p.answer, status);
	free(p.of);
	tn_lanes_free(p.lanes);
	return status;
}
