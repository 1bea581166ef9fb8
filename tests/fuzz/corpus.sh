#!/bin/sh
# corpus.sh - the inputs that fuzzing has found worth keeping, and seeds of each kind: each once
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"

for folder in "$top"/tests/fuzz/corpus/*/; do
	target=$(basename "$folder")
	said=$(tests/fuzz/replay "$target" "$folder"* 2>&1) && ok ||
		bad "$target: exit status $?: $(printf '%s\n' "$said" | tail -n 20)"
done
verdict corpus
