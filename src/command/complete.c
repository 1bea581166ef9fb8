#include <config.h>

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <tnav/answer.h>

#include "command.h"
#include "complete.h"
#include "prompt/words.h"
#include "session/settings.h"

static const char *const zones[] = { "utc", "local" };
static const char *const formats[] = { "text", "csv", "jsonl", "parquet", "chrome-json", "ctf" };

struct completion {
	const char *begin;	/* start of the word to complete */
	char common[PROMPT_SIZE], list[MESSAGE_SIZE];
	size_t found;
	bool more;		/* some words do not fit into the list */
};

static bool
offered(const struct completion *c, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = c->list; (at = strstr(at, name)) != NULL; at += n)
		if ((at == c->list || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

/* Add a word that completes the text. */
static void
offer(struct completion *c, const char *name)
{
	size_t i = 0, room = sizeof c->list - strlen(c->list);

	if (strncmp(name, c->begin, strlen(c->begin)) != 0)
		return;
	if (c->found++ == 0)
		snprintf(c->common, sizeof c->common, "%s", name);
	while (c->common[i] && c->common[i] == name[i])
		i++;
	c->common[i] = '\0';
	if (strlen(name) + 6 < room)
		strcat(strcat(c->list, *c->list ? " " : ""), name);
	else
		c->more = true;
}

static void
offer_all(struct completion *c, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		offer(c, names[i]);
}

#define OFFER(c, names) offer_all((c), (names), sizeof(names) / sizeof *(names))

static void
offer_actions(struct completion *c)
{
	for (int i = 1; i < ACTIONS_END; i++)
		offer(c, action_info((enum action)i)->name);
}

static void
offer_commands(struct completion *c)
{
	for (size_t i = 0; command_name(i); i++)
		offer(c, command_name(i));
	offer_actions(c);
}

static void
offer_values(struct completion *c, const char *setting)
{
	for (size_t i = 0; settings_value(setting, i); i++)
		offer(c, settings_value(setting, i));
}

/* Offer files and folders; c->begin is the part of @path after the last slash. */
static void
offer_files(struct completion *c, const char *path)
{
	char folder[PROMPT_SIZE], name[NAME_MAX + 2];
	const struct dirent *entry;
	DIR *dir;

	snprintf(folder, sizeof folder, "%.*s", (int)(c->begin - path), path);
	dir = opendir(*folder ? folder : ".");
	while (dir && (entry = readdir(dir)) != NULL) {
		struct stat st;

		if (entry->d_name[0] == '.' && c->begin[0] != '.')
			continue;
		snprintf(name, sizeof name, "%s%s", entry->d_name,
			 fstatat(dirfd(dir), entry->d_name, &st, 0) == 0 && S_ISDIR(st.st_mode) ? "/" : "");
		offer(c, name);
	}
	if (dir)
		closedir(dir);
}

static void
offer_arguments(struct completion *c, char *words[], size_t n)
{
	const char *verb = words[0], *slash;
	bool writes = !strcmp(verb, "w") || !strcmp(verb, "w!") || !strcmp(verb, "write");

	if (strcmp(verb, "set") == 0 && n == 2) {
		for (size_t i = 0; settings_name(i); i++)
			offer(c, settings_name(i));
	} else if (strcmp(verb, "set") == 0 && n == 3) {
		const char *comma = strrchr(c->begin, ',');

		c->begin = comma ? comma + 1 : c->begin;
		c->begin += *c->begin == '!';
		offer_values(c, words[1]);
	} else if (strcmp(verb, "bind") == 0 && n == 2) {
		offer(c, "all");
		for (size_t i = 0; view_classes[i]; i++)
			offer(c, view_classes[i]->name);
	} else if (strcmp(verb, "bind") == 0 && n == 4) {
		offer_actions(c);
	} else if (strcmp(verb, "ask") == 0 && n == 2) {
		for (size_t i = 0; tn_ready_question_at(i); i++)
			offer(c, tn_ready_question_at(i)->name);
	} else if (strcmp(verb, "tz") == 0 && n == 2) {
		OFFER(c, zones);
	} else if (writes && n == 3) {
		OFFER(c, formats);
	} else if (writes && n == 2) {
		slash = strrchr(c->begin, '/');
		c->begin = slash ? slash + 1 : c->begin;
		offer_files(c, words[1]);
	}
}

static void
offer_word(void *user, const char *word)
{
	offer(user, word);
}

/* ---- values of a field, taken from events on the screen ---- */

#define VALUES 64		/* values kept to detect duplicates; the list detects others */

struct values {
	struct completion *c;
	const char *typed;
	const char *label[3];	/* names of the field in a line; NULL after the last name */
	char own[PROMPT_SIZE];
	char met[VALUES][64];
	size_t n;
};

/* Find the field names with which tracers record an attribute. */
static void
find_labels(struct values *v, const char *name)
{
	static const char *const means[][3] = {
		{ "cpu", "cpu_id", "cpu" }, { "tid", "vtid", "tid" }, { "pid", "vpid", "pid" }, { "process", "procname", "comm" },
	};
	const char *tail = strrchr(name, '.');

	snprintf(v->own, sizeof v->own, "%s", tail ? tail + 1 : name);
	v->own[strcspn(v->own, "[")] = '\0';
	if (v->own[0] == '`') {
		memmove(v->own, v->own + 1, strlen(v->own));
		v->own[strcspn(v->own, "`")] = '\0';
	}
	v->label[0] = v->own;
	for (size_t i = 0; i < sizeof means / sizeof *means; i++)
		if (strcmp(name, means[i][0]) == 0) {
			v->label[0] = means[i][1];
			v->label[1] = means[i][2];
		}
}

/* Offer a value if it is a number or a string. Labels of enumerations are already offered, and compounds are skipped. */
static void
meet_value(struct values *v, const char *text)
{
	size_t n = strcspn(text, ", }");
	char value[PROMPT_SIZE];

	if (*text == '"') {
		for (n = 1; text[n] && text[n] != '"'; n++)
			n += text[n] == '\\' && text[n + 1];
		n += text[n] == '"';
	} else if (*text != '-' && (*text < '0' || *text > '9')) {
		return;
	}
	if (n >= sizeof value)
		return;
	memcpy(value, text, n);
	value[n] = '\0';
	if (strncmp(value + (*value == '"' && *v->typed != '"'), v->typed, strlen(v->typed)) != 0)
		return;
	for (size_t i = 0; i < v->n; i++)
		if (strcmp(v->met[i], value) == 0)
			return;
	if (v->n < VALUES && n < sizeof v->met[0])
		strcpy(v->met[v->n++], value);
	else if (offered(v->c, value))
		return;
	offer(v->c, value);
}

/* Read the values in a text such as "{ request = 20, item = { name = "x" } }". */
static void
meet_text(void *user, const char *text)
{
	struct values *v = user;

	for (size_t i = 0; i < 2 && v->label[i]; i++) {
		size_t n = strlen(v->label[i]);

		for (const char *at = text; n && (at = strstr(at, v->label[i])) != NULL; at += n)
			if ((at == text || at[-1] == ' ') && strncmp(at + n, " = ", 3) == 0)
				meet_value(v, at + n + 3);
	}
}

/* The kind of words to offer. */
enum words {
	WORDS_CONDITION,
	WORDS_RULE,		/* condition, then style */
	WORDS_NAMES,		/* names of fields and attributes */
	WORDS_EVENTS,		/* names of events */
};

/* Offer a name, but not a word such as "and", which joins conditions. */
static void
offer_name(void *user, const char *word)
{
	static const char *const joins[] = { "and", "or", "not", "in", "has(" };

	for (size_t i = 0; i < sizeof joins / sizeof *joins; i++)
		if (strcmp(word, joins[i]) == 0)
			return;
	offer(user, word);
}

static void
offer_events(struct completion *c, const struct tn_set *set)
{
	for (size_t i = 0; i < tn_set_trace_count(set); i++) {
		const struct tn_trace *trace = tn_set_trace(set, i);

		for (size_t k = 0; k < tn_trace_event_class_count(trace); k++) {
			const char *name = tn_event_class_name(tn_trace_event_class(trace, k));

			if (name && !offered(c, name))
				offer(c, name);
		}
	}
}

/* Replace the text from @begin on by the common start of all words, and list the words. */
static void
take(struct completion *c, struct prompt *p, size_t begin, char *said, size_t size)
{
	char whole[PROMPT_SIZE * 2];

	if (c->found && (strlen(c->common) > p->n - begin || c->found == 1)) {
		snprintf(whole, sizeof whole, "%.*s%s", (int)begin, p->text, c->common);
		prompt_set(p, whole);
	}
	snprintf(said, size, "%s%s", c->found > 1 ? c->list : c->found ? "" : _("no word starts with this text"),
		 c->found > 1 && c->more ? " ..." : "");
}

/* Complete the text from byte @from on, with words of the given kind. */
static void
complete_words(struct prompt *p, size_t from, enum words words, const struct tn_set *set, const struct view *events,
	       char *said, size_t size)
{
	struct completion c = { .begin = "", .list = "" };
	char name[PROMPT_SIZE];
	struct tn_filter *filter;
	struct tn_error err;
	size_t begin = 0;
	enum tn_code rc;

	if (words == WORDS_EVENTS) {
		c.begin = p->text + from;
		offer_events(&c, set);
		take(&c, p, from, said, size);
		return;
	}
	rc = tn_filter_new(&filter, set, &err);
	if (rc == TN_OK) {
		rc = tn_filter_complete(filter, p->text + from, p->at - from, &begin,
					words == WORDS_NAMES ? offer_name : offer_word, &c, &err);
		tn_filter_free(filter);
	}
	if (rc != TN_OK) {
		snprintf(said, size, "%s", err.text);
		return;
	}
	if (words == WORDS_RULE && begin) {
		c.begin = p->text + from + begin;
		for (size_t i = 0; style_name(i); i++)
			offer(&c, style_name(i));
	}
	if (words <= WORDS_RULE && tn_condition_compared(p->text + from, p->at - from, name, sizeof name)) {
		struct values v = { .c = &c, .typed = p->text + from + begin };

		find_labels(&v, name);
		events_each_text(events, meet_text, &v);
	}
	take(&c, p, from + begin, said, size);
}

void
complete_condition(struct prompt *p, const struct tn_set *set, const struct view *events, char *said, size_t size)
{
	if (p->at == p->n)
		complete_words(p, 0, WORDS_CONDITION, set, events, said, size);
}

/* The place after the last of these characters, at or after @from. */
static size_t
after_last(const char *text, size_t from, const char *any)
{
	size_t at = strlen(text);

	while (at > from && !strchr(any, text[at - 1]))
		at--;
	return at;
}

/* The place after the last @word; 0: the word is not in the text. */
static size_t
after_word(const char *text, const char *word)
{
	size_t found = 0;

	for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
		found = (size_t)(at - text) + strlen(word);
	return found;
}

/* Find the part of a command that is a condition, keys or names. False: it has no such part. */
static bool
find_language(const char *text, size_t *from, enum words *words)
{
	size_t lead = strspn(text, " \t"), verb = strcspn(text + lead, " \t"), end = lead + verb, at;
	const char *v = text + lead;
#define IS(name) (verb == strlen(name) && strncmp(v, name, verb) == 0)
	bool groups = IS("by") || IS("group") || IS("plot") || IS("sequence"), spans = IS("span"), lanes = IS("lanes");

	if (!text[end])
		return false;
	end += strspn(text + end, " \t");
	*words = WORDS_RULE;
	*from = end;
	if (IS("color"))
		return true;
	*words = WORDS_CONDITION;
	if ((groups || spans) && (at = after_word(text, " where ")) != 0) {
		*from = at;
		return true;
	}
	*words = WORDS_NAMES;
	if (IS("column"))
		return true;
	if (groups || ((spans || lanes) && after_word(text, " by "))) {
		*from = after_last(text, end, " ,(");
		return true;
	}
	*words = WORDS_EVENTS;
	*from = after_last(text, end, " ");
	return spans || lanes;
#undef IS
}

void
complete(struct prompt *p, const struct tn_set *set, const struct view *events, char *said, size_t size)
{
	struct completion c = { .list = "" };
	char copy[PROMPT_SIZE], *words[4] = { NULL }, *rest = copy;
	char whole[PROMPT_SIZE * 2];
	size_t n = 0, from;
	enum words kind;

	if (p->at != p->n)
		return;
	if (find_language(p->text, &from, &kind)) {
		complete_words(p, from, kind, set, events, said, size);
		return;
	}
	strcpy(copy, p->text);
	do
		words[n++] = word(&rest);
	while (n < 4 && (*rest || (p->n && p->text[p->n - 1] == ' ' && *words[n - 1])));
	if (*rest)
		return;
	c.begin = words[n - 1];
	if (n == 1)
		offer_commands(&c);
	else
		offer_arguments(&c, words, n);
	if (strlen(c.common) > strlen(c.begin)) {
		snprintf(whole, sizeof whole, "%s%s", p->text, c.common + strlen(c.begin));
		prompt_set(p, whole);
	}
	snprintf(said, size, "%s%s", c.found > 1 ? c.list : c.found ? "" : _("no word starts with this text"),
		 c.found > 1 && c.more ? " ..." : "");
}
