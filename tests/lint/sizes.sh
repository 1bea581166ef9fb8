#!/bin/sh
# sizes.sh - no file of the library or the program over 800 lines
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"

for file in $(find "$top/lib" "$top/src" -name '*.[ch]' | LC_ALL=C sort); do
	lines=$(wc -l <"$file")
	if [ "$lines" -le 800 ]; then ok; else
		bad "${file#"$top"/}: $lines lines: split it where it has a seam (800 are the most)"
	fi
done
verdict sizes
