#!/bin/sh
# differences.sh - doc/differences.md is numbered, and each of its points has a golden case
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"
list=$top/doc/differences.md

n=0
for point in $(grep -o '^[0-9][0-9]*\.' "$list"); do
	n=$((n + 1))
	[ "$point" = "$n." ] && ok || bad "doc/differences.md: point $point stands where $n. should"
	# All of the point, up to the next one or a heading.
	cases=$(sed -n "/^$n\\. /,/^\\($((n + 1))\\. \\|#\\)/p" "$list" | grep -o '`[a-z0-9]*/[a-z0-9-]*`' | tr -d '`')
	[ -n "$cases" ] || bad "doc/differences.md: point $n has no golden case"
	for case in $cases; do
		[ -e "$top/tests/golden/$case.tnt" ] && ok || bad "doc/differences.md: there is no case $case"
	done
done
verdict differences
