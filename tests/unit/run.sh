#!/bin/sh
# run.sh - the unit tests
#
# Criterion starts a process for each test. Now and then such a process ends before its test begins: the
# sanitizer's runtime found no room for its shadow memory. Criterion reports that as a crash "during its
# setup or teardown". Such tests, at most three, run once more, alone; the second run decides. A test that
# failed, or crashed while it ran, has failed.
set -u
unit=${UNIT:-tests/unit/unit}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

"$unit" >"$work/shown" 2>&1
status=$?
cat "$work/shown"
grep -q 'Could not initialize inheritable arena' "$work/shown" && echo "the unit tests need shared memory: make /dev/shm writable"
[ "$status" -ne 0 ] || exit 0

sed 's/\x1b\[[0-9;]*m//g' "$work/shown" >"$work/plain"
grep -q 'Failing: 0 | Crashing: 0' "$work/plain" || exit "$status"
lost=$(sed -n 's/.*The test `\([a-z0-9_]*\)::\([a-z0-9_]*\)` crashed during its setup or teardown.*/\1\/\2/p' "$work/plain")
count=$(echo "$lost" | grep -c .)
[ "$count" -gt 0 ] && [ "$count" -le 3 ] || exit "$status"
for test in $lost; do
	echo "once more: $test"
	"$unit" --filter "$test" >"$work/again" 2>&1
	status=$?
	cat "$work/again"
	sed 's/\x1b\[[0-9;]*m//g' "$work/again" | grep -q 'Tested: 1 ' && [ "$status" -eq 0 ] || exit 1
done
