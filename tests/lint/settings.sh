#!/bin/sh
# settings.sh - tnavrc(5) names every setting of the program, and its examples are understood
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"

for name in $(sed -n 's/^\t{ "\([a-z]*\)", [A-Z]*, .*/\1/p' "$top/src/session/settings.c"); do
	if grep -qE "^\.(BR|BI) \"$name \"" "$top/doc/tnavrc.5"; then ok; else bad "doc/tnavrc.5 does not name: set $name"; fi
done
for name in $(sed -n 's/^\.B[RI] "\([a-z]*\) ".*/\1/p' "$top/doc/tnavrc.5"); do
	if grep -q "^	{ \"$name\", " "$top/src/session/settings.c"; then ok; else bad "doc/tnavrc.5 names what is no setting: $name"; fi
done
# Names of keys are names of keys.
for name in $(grep -o '<[A-Z][A-Za-z0-9]*>' "$top/doc/tnavrc.5" | tr -d '<>' | LC_ALL=C sort -u); do
	if grep -q "\"$name\"" "$top/src/screen/key.h" "$top/src/screen/key.c"; then ok; else bad "doc/tnavrc.5 names what is no key: <$name>"; fi
done
# The examples are what tests/screen/tnavrc.keys tries.
untried=$(sed -n '/^\.SH EXAMPLES/,/^\.fi/p' "$top/doc/tnavrc.5" | grep -v '^[.#]' | grep . | while read -r line; do
	grep -qxF "config $line" "$top/tests/screen/tnavrc.keys" || printf '%s\n' "$line"
done)
[ -z "$untried" ] && ok || bad "tests/screen/tnavrc.keys does not try: $untried"
verdict settings
