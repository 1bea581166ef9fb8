#!/bin/sh
# words.sh - tracked text: no paths of somebody's machine, no trailing blanks, lines that fit
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"

# The files of the project: as git knows them, or all of an unpacked tarball.
if [ -e "$top/.git" ] && command -v git >/dev/null && files=$(cd "$top" && git ls-files 2>/dev/null) && [ -n "$files" ]
then :
else
	files=$(cd "$top" && find . -type f -name '*.[ch]' -o -name '*.mk' -o -name '*.md' -o -name '*.sh' -o -name '*.tnt')
fi

# Written in pieces, so that this file does not hold what it looks for.
paths="/wor""k/|/tmp/""[bt]/|/home/""[a-z]+/|/roo""t/|[.]librar""y"
for file in $files; do
	path=$top/$file
	[ -f "$path" ] || continue
	if found=$(grep -nE "$paths" "$path"); then
		bad "$file: a path of one machine:"
		printf '%s\n' "$found"
	else
		ok
	fi
	case $file in
	*.c | *.h)
		if found=$(grep -nE '[ 	]+$' "$path"); then
			bad "$file: blanks at the end of a line:"
			printf '%s\n' "$found"
		fi ;;
	esac
	# 110 columns are the style, 132 the limit; a tab goes to the next multiple of 8. Tables of tests may be wide.
	case $file in
	lib/*.[ch] | src/*.[ch])
		found=$(perl -CSD -ne 'chomp; 1 while s/\t/" " x (8 - $-[0] % 8)/e;
			print "$.: ", length, " columns\n" if length > 132' "$path")
		if [ -n "$found" ]; then
			bad "$file: lines over 132 columns:"
			printf '%s\n' "$found"
		fi ;;
	esac
done
verdict words
