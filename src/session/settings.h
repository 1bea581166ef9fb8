/*
 * settings.h - what `:set NAME VALUE` and the configuration can set: one table
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "session.h"

struct line;

void settings_defaults(struct settings *set, const struct browse_options *options);
/* @value is cut into words. False: *err says what is wrong, and what there is. */
bool settings_set(struct settings *set, const char *name, char *value, struct tn_error *err);
bool settings_is_switch(const char *name);
/* How it is set, as settings_set() reads it; the name is one of them. */
void settings_put(const struct settings *set, const char *name, struct line *out);
/* Names of settings, and of the values of one; NULL after the last. */
const char *settings_name(size_t i);
const char *settings_value(const char *name, size_t i);
const char *column_name(const struct settings *set, enum column_kind kind);
/* Switch a column on or off: one of the names, or a field of events, or one of its attributes. */
/* Whether it is on, and not a column of a field that the user did not ask for and no event had so far. */
bool column_is_shown(const struct settings *set, const struct column *column);
bool column_toggle(struct settings *set, const char *name, struct tn_error *err);

/* "EXPRESSION STYLE": what passes has that colour; STYLE off takes the rule away, "off" alone all of them. */
bool settings_is_default_rule(const struct color_rule *rule);	/* it is there without a word of the user */
bool settings_color(struct settings *set, const char *text, struct tn_error *err);
/*
 * "NAME NAME ...": these fields mean the same, in place of what was said of the first one; one name alone: it means only
 * itself.
 */
bool settings_same(struct settings *set, const char *text, struct tn_error *err);
/* The names that mean the same as this one, itself among them; NULL: no others do. */
const char *settings_same_as(const struct same *same, const char *name);
const char *style_name(size_t i);	/* of the styles there are; NULL after the last */
const char *style_name_of(unsigned style);

/* "5ms", "1.5s", "200us", with or without a sign; a number alone is nanoseconds. */
bool span_parse(const char *text, int64_t *out, struct tn_error *err);

#endif
