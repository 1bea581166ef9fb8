#!/bin/sh
# manual.sh - tnav --help=all, the manual pages, and the tables of options, keys, settings and aggregates say the same
#
# Run in the build folder.
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"
manual=$top/doc/tnav.1
pages="$manual $top/doc/tnav-language.7 $top/doc/tnav-answers.7 $top/doc/tnav-check.7 $top/doc/tnavrc.5"
tnav=${TNAV:-src/tnav}

# Options as --help and the manual name them.
in_help=$("$tnav" --help=all | grep -o -- '--[a-z][a-z-]*' | LC_ALL=C sort -u)
in_manual=$(sed 's/\\-/-/g' "$manual" | grep -o -- '--[a-z][a-z-]*' | LC_ALL=C sort -u)
for option in $in_help; do
	if printf '%s\n' "$in_manual" | grep -qx -- "$option"; then ok; else bad "doc/tnav.1 does not name $option"; fi
done
for option in $(sed 's/\\-/-/g' $pages | grep -o -- '--[a-z][a-z-]*' | LC_ALL=C sort -u); do
	printf '%s\n' "$in_help" | grep -qx -- "$option" || bad "the manual pages name $option, tnav --help does not"
done
# One version and one date of the release.
version=$(sed -n 's/^AC_INIT(\[tnav\], \[\(.*\)\]).*/\1/p' "$top/configure.ac")
date=$(sed -n "s/^## $version (\(.*\))$/\1/p" "$top/CHANGELOG.md")
for page in "$top"/doc/*.[157]; do
	if grep -q "^\.TH [A-Z-]* [157] $date \"tnav $version\"" "$page"; then ok; else bad "${page##*/} is not of tnav $version, $date"; fi
done
if grep -q "<release version=\"$version\" date=\"$date\">" "$top/doc/io.tnav.tnav.metainfo.xml"; then ok; else
	bad "io.tnav.tnav.metainfo.xml has no release $version of $date"
fi

# All of the help fits 80 columns.
wide=$("$tnav" --help=all | grep '.\{81\}')
if [ -z "$wide" ]; then ok; else bad "tnav --help=all is wider than 80 columns: $wide"; fi

# The short help is a screen, and names nothing else.
short=$("$tnav" --help)
if [ "$(printf '%s\n' "$short" | wc -l)" -le 24 ] && [ "$(printf '%s\n' "$short" | wc -L)" -le 80 ]; then ok; else
	bad "tnav --help does not fit 80x24"
fi
for option in $(printf '%s\n' "$short" | grep -o -- '--[a-z][a-z-]*' | LC_ALL=C sort -u); do
	if printf '%s\n' "$in_help" | grep -qx -- "$option"; then ok; else bad "tnav --help names $option, which is no option"; fi
done
# Letters too.
for letter in $("$tnav" --help=all | sed -n 's/^  -\([a-zA-Z]\), .*/\1/p'); do
	if sed 's/\\-/-/g' "$manual" | grep -q -- "^\.BR -$letter \""; then ok; else bad "doc/tnav.1 does not name -$letter"; fi
done

# The completions are made from the table.
made=$(mktemp -d) && trap 'rm -rf "$made"' EXIT || exit 1
if complaint=$(perl "$top/scripts/completions" "$made" 2>&1); then ok; else bad "$complaint"; fi
for shell in "zsh:$made/_tnav" "fish:$made/tnav.fish" "bash:$made/tnav.bash"; do
	command -v "${shell%%:*}" >/dev/null || continue
	complaint=$("${shell%%:*}" -n "${shell#*:}" 2>&1) && ok || bad "${shell#*:}: $complaint"
done

# Keys, actions and ready questions are those of the tables; settings, commands and aggregates are named.
if complaint=$(perl "$top/scripts/manual-keys" --check 2>&1); then ok; else bad "$complaint"; fi
for word in $(sed -n '/^static const struct setting {/,/^};/s/^	{ "\([a-z]*\)".*/\1/p' "$top/src/session/settings.c"); do
	if grep -q "^\.B[RI] \"$word " "$top/doc/tnavrc.5"; then ok; else bad "doc/tnavrc.5 does not name the setting '$word'"; fi
done
for word in $(sed -n '/^} commands\[\]/,/^};/p' "$top/src/command/command.c" | grep -o '"[a-z]*"' | tr -d '"' | grep -vx write); do
	if sed -n '/^\.SS Commands/,/^\.SH/p' "$manual" | grep -qw "$word"; then ok; else
		bad "doc/tnav.1 does not name the command '$word'"
	fi
done

for word in $(sed -n '/^static const struct .*\[\] = {/,/^};/s/^	{ \.name = "\([a-z]*\)".*/\1/p' "$top/lib/group/aggregate.c"); do
	if sed -n '/^\.SS Aggregates/,/^\.TE/p' "$top/doc/tnav-answers.7" | grep -qw "$word"; then ok; else
		bad "doc/tnav-answers.7 does not name the aggregate '$word'"
	fi
done

# The pages themselves, one endless page as on a terminal: no complaint of the formatter, if there is one.
if command -v groff >/dev/null; then
	for page in $pages doc/libtnav*.3; do
		complaints=$({ echo .pl 30000v; cat "$page"; } |
			LC_ALL=C.UTF-8 groff -k -t -man -ww -dAD=l -rcR=0 -rLL=80n -Tutf8 -Z 2>&1 >/dev/null)
		[ -z "$complaints" ] && ok || bad "$page: $complaints"
	done
fi
verdict manual
