/*
 * settings.h - the settings of `:set NAME VALUE` and of the configuration: one table
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "session.h"

struct line;

void settings_defaults(struct settings *set, const struct browse_options *options);
/* Set a setting; @value is cut into words. False: *err has the mistake and the possible values. */
bool settings_set(struct settings *set, const char *name, char *value, struct tn_error *err);
bool settings_is_switch(const char *name);
/* Add the value of the setting @name, which must exist, in the form that settings_set() reads. */
void settings_put(const struct settings *set, const char *name, struct line *out);
/* Names of settings, and values of a setting. NULL: no more. */
const char *settings_name(size_t i);
const char *settings_value(const char *name, size_t i);
const char *column_name(const struct settings *set, enum column_kind kind);
/* Whether the column is shown. A column of a field that no event has had so far is shown only if the user asked for it. */
bool column_is_shown(const struct settings *set, const struct column *column);
/* Switch a column on or off: a column with a name, a field of events, or an attribute. */
bool column_toggle(struct settings *set, const char *name, struct tn_error *err);

bool settings_is_default_rule(const struct color_rule *rule);	/* whether the rule is built in */
/*
 * Set "EXPRESSION STYLE": matching events have this style. With the style off, the rule is removed; "off" alone removes
 * all rules.
 */
bool settings_color(struct settings *set, const char *text, struct tn_error *err);
/*
 * Set "NAME NAME ...": these fields mean the same, and each name leaves its former row. A single name then means only
 * itself.
 */
bool settings_same(struct settings *set, const char *text, struct tn_error *err);
/* The names that mean the same as @name, including @name. NULL: no other name does. */
const char *settings_same_as(const struct same *same, const char *name);
const char *style_name(size_t i);	/* name of style @i; NULL: no more */
const char *style_name_of(unsigned style);

/* Parse "5ms", "1.5s" or "200us", with or without a sign. A number without a unit is nanoseconds. */
bool span_parse(const char *text, int64_t *out, struct tn_error *err);

#endif
