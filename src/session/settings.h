/*
 * settings.h - the settings of `:set NAME VALUE` and of the configuration: one table
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "session.h"

struct line;

void settings_defaults(struct settings *set, const struct browse_options *options);
/* @value is cut into words. False: *err has the mistake and the possible values. */
bool settings_set(struct settings *set, const char *name, char *value, struct tn_error *err);
bool settings_is_switch(const char *name);
/* Add the value of a setting, in the form that settings_set() reads; @name exists. */
void settings_put(const struct settings *set, const char *name, struct line *out);
/* Names of settings, and of the values of one; NULL after the last. */
const char *settings_name(size_t i);
const char *settings_value(const char *name, size_t i);
const char *column_name(const struct settings *set, enum column_kind kind);
/* Whether the column is on. A column of a field that no event had so far is only shown if the user asked for it. */
bool column_is_shown(const struct settings *set, const struct column *column);
/* Switch a column on or off: one of the names, or a field of events, or an attribute. */
bool column_toggle(struct settings *set, const char *name, struct tn_error *err);

bool settings_is_default_rule(const struct color_rule *rule);	/* a rule that the user did not make */
/* "EXPRESSION STYLE": passing events have that style; STYLE off removes the rule, "off" alone removes all. */
bool settings_color(struct settings *set, const char *text, struct tn_error *err);
/*
 * "NAME NAME ...": these fields mean the same, and each name leaves its earlier row. One name alone means only
 * itself.
 */
bool settings_same(struct settings *set, const char *text, struct tn_error *err);
/* The names that mean the same as @name, with @name; NULL: no other name does. */
const char *settings_same_as(const struct same *same, const char *name);
const char *style_name(size_t i);	/* name of style @i; NULL after the last */
const char *style_name_of(unsigned style);

/* "5ms", "1.5s", "200us", with or without a sign; a number alone is nanoseconds. */
bool span_parse(const char *text, int64_t *out, struct tn_error *err);

#endif
