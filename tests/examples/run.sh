#!/bin/sh
# The example programs on the sample trace: each way of iterating sees the same events.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

check() {
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$1: $2, not $3"
	fi
}

tests/demo/write_demo "$work/sample" >/dev/null || exit 1
events=$(src/tnav --count "$work/sample") || exit 1
streams=$(find "$work/sample" -type f ! -name metadata ! -name '.*' ! -path '*/index/*' | wc -l)

doc/examples/timeline "$work/sample" >"$work/timeline"
check "timeline: exit status" $? 0
check "timeline: events" "$(grep -vc '(.*)$' "$work/timeline")" "$events"
check "timeline: times going back" "$(awk '$1 < last { n++ } { last = $1 } END { print n + 0 }' "$work/timeline")" 0

doc/examples/stream_events "$work/sample" >"$work/streams"
check "stream_events: exit status" $? 0
check "stream_events: streams" "$(wc -l <"$work/streams")" "$streams"
check "stream_events: events" "$(awk -F'[: ]+' '{ n += $2 } END { print n }' "$work/streams")" "$events"

doc/examples/packets "$work/sample" >"$work/packets"
check "packets: exit status" $? 0
check "packets: streams" "$(grep -vc '^ ' "$work/packets")" "$streams"
check "packets: the context is read" "$(grep -c 'packet.*cpu' "$work/packets")" \
	"$(awk '/^[^ ]/ { kernel = /kernel/ } /^  packet/ && kernel { n++ } END { print n + 0 }' "$work/packets")"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
