#!/bin/sh
# Broken traces, a little: a sanitizer build makes this worth more, and more rounds (FUZZ_ROUNDS).
top=${srcdir:-.}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1
tests/demo/write_demo "$work/demo" || exit 1
TMPDIR=$work tests/fuzz/fuzz_trace -n "${FUZZ_ROUNDS:-500}" -s "${FUZZ_SEED:-1}" \
	"$work/demo" "$top"/tests/golden/ctf1/*.tnt "$top"/tests/golden/ctf2/*.tnt "$top"/tests/golden/kedr/*.tnt \
	"$top"/tests/golden/ovni/*.tnt "$top"/tests/golden/chromejson/*.tnt \
	 "$top"/tests/golden/vartrace/*.tnt "$top"/tests/golden/tracedat/*.tnt "$top"/tests/golden/perfdata/*.tnt "$top"/tests/golden/uftrace/*.tnt "$top"/tests/golden/perfetto/*.tnt
