/*
 * json_value.h - values as JSON
 *
 * Numbers are numbers, with all digits. Values that are not numbers in JSON are texts: "nan", "inf", and hexadecimal
 * digits for integers of more than 64 bits. BLOBs are hexadecimal texts. An enumeration or a bit map is
 * {"value":1,"labels":["A"]}. A variant or an optional is its content, or null.
 */
#ifndef TN_TEXT_JSON_VALUE_H
#define TN_TEXT_JSON_VALUE_H

#include "model/decoder.h"
#include "text/put.h"

void tn_json_value(struct tn_str *out, const struct tn_value *value);
/*
 * Append the members of a structure without its braces. @some: other members are before them. Returns whether there
 * is a member now.
 */
bool tn_json_members(struct tn_str *out, const struct tn_value *value, bool some);
/* Add a string with its quotes. Invalid UTF-8 becomes U+FFFD. */
void tn_json_string(struct tn_str *out, const uint8_t *bytes, size_t n);
/* Add the bytes, with U+FFFD for invalid UTF-8. */
void tn_json_utf8(struct tn_str *out, const uint8_t *bytes, size_t n);
/*
 * Write the inside of a JSON string from a mapped file, which can be read beyond its end. Writes whole characters of
 * bytes[0, @n), at most @most bytes and a character. *end: the place where the text stops. Needs space for 6 * @most
 * bytes and the slack. Returns the number of bytes read.
 */
size_t tn_json_put_some(char *p, const uint8_t *bytes, size_t n, size_t most, char **end);
size_t tn_json_string_size(const struct tn_value *value);	/* number of shown bytes of a string */

/* Add a number, boolean or BLOB without quotes. */
void tn_json_scalar(struct tn_str *out, const struct tn_value *value);

void tn_json_blob(struct tn_str *out, const uint8_t *bytes, uint64_t n);	/* hexadecimal, without quotes */
/* Write a finite number with the fewest digits that read back as the same number; needs TN_PUT_DOUBLE bytes. */
char *tn_json_put_finite(char *p, double d, bool single);

bool tn_json_has_labels(const struct tn_type *type);	/* an enumeration or a bit map of up to 64 bits */
/* Called once for each label of the value. */
typedef void tn_json_label_fn(struct tn_str *out, const uint8_t *bytes, size_t n);
void
tn_json_labels(struct tn_str *out, const struct tn_value *value, tn_json_label_fn *put, const char *between);

#endif
