#!/bin/sh
# settings.sh - tnavrc(5) names every setting of the program, and its examples are understood
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"

for name in $(sed -n 's/^\t{ "\([a-z]*\)", [A-Z]*, .*/\1/p' "$top/src/browser/settings.c"); do
	if grep -qE "^\.(BR|BI) \"$name \"" "$top/doc/tnavrc.5"; then ok; else bad "doc/tnavrc.5 does not name: set $name"; fi
done
for name in $(sed -n 's/^\.B[RI] "\([a-z]*\) ".*/\1/p' "$top/doc/tnavrc.5"); do
	if grep -q "^	{ \"$name\", " "$top/src/browser/settings.c"; then ok; else bad "doc/tnavrc.5 names what is no setting: $name"; fi
done
verdict settings
