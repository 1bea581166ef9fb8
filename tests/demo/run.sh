#!/bin/sh
# run.sh - the sample trace: always the same bytes, read by tnav as it was meant and as babeltrace2 reads it
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"
tnav=${TNAV:-src/tnav}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1
export XDG_CACHE_HOME="$work/cache"

# same NAME FILE FILE
same() {
	if cmp -s "$2" "$3"; then ok; else
		bad "$1:"
		diff "$2" "$3" | head -n 5
	fi
}

# sum NAME WANTED FILE...: the check sum of their bytes
sum() {
	name=$1 wanted=$2
	shift 2
	got=$(cat "$@" | cksum)
	if [ "$got" = "$wanted" ]; then ok; else bad "$name: check sum $got, not $wanted"; fi
}

tests/demo/write_demo "$work/one" && tests/demo/write_demo "$work/two" && tests/demo/write_demo "$work/ctf2" 2 || exit 1
for file in metadata database_0 kernel_0 kernel_1 shop_0 warehouse_0; do
	same "two runs write another $file" "$work/one/$file" "$work/two/$file"
	[ $file = metadata ] || same "CTF 2 has another $file" "$work/one/$file" "$work/ctf2/$file"
done
sum "the sample trace has changed" '1078383413 294912' "$work"/one/*_*
sum "the index files have changed" '2841396817 4616' "$work"/one/index/*_*.idx
same "CTF 2 has another index" "$work/one/index/kernel_0.idx" "$work/ctf2/index/kernel_0.idx"

TZ=UTC "$tnav" --print "$work/one" >"$work/one.txt" 2>"$work/one.err"
[ $? -eq 0 ] && ok || bad "tnav --print: exit status, $(head -n 1 "$work/one.err")"
sum "the text of the sample trace has changed" '1660778469 1219272' "$work/one.txt"
TZ=UTC "$tnav" --print "$work/ctf2" >"$work/ctf2.txt" 2>/dev/null
same "the same trace as CTF 2" "$work/one.txt" "$work/ctf2.txt"
TZ=UTC "$tnav" --print --no-index-files --no-index-cache "$work/one" >"$work/bare.txt" 2>"$work/bare.err"
same "without its index files" "$work/one.txt" "$work/bare.txt"
same "losses without its index files" "$work/one.err" "$work/bare.err"
TZ=UTC "$tnav" --demo --print >"$work/demo.txt" 2>/dev/null
same "tnav --demo" "$work/one.txt" "$work/demo.txt"
[ "$("$tnav" --count "$work/one" 2>/dev/null)" = 6016 ] && ok || bad "tnav --count"

# The cause of the slow request.
"$tnav" --demo --why 'dur > 20ms' --spans 'shop:request_begin shop:request_end by request' --top 1 --output-format=jsonl \
	>"$work/why.jsonl" 2>/dev/null
grep -q '^{"field":"waited for","value":"backup","selected":{"count":1,"share":1},"rest":{"count":0,.*"likely"}' "$work/why.jsonl" &&
	ok || bad "why the slow request is slow: $(cat "$work/why.jsonl")"

if command -v babeltrace2 >/dev/null; then
	TZ=UTC babeltrace2 "$work/one" >"$work/bt2.txt" 2>"$work/bt2.err"
	[ $? -eq 0 ] && ok || bad "babeltrace2 does not read it"
	for file in bt2.txt one.txt bt2.err one.err; do
		comparable "$work/$file" >"$work/$file.both"
	done
	same "babeltrace2's text" "$work/bt2.txt.both" "$work/one.txt.both"
	same "the warnings" "$work/bt2.err.both" "$work/one.err.both"
	[ "$(wc -l <"$work/bt2.err")" -eq 1 ] && ok || bad "babeltrace2 complains: $(cat "$work/bt2.err")"
else
	echo "demo: babeltrace2 is not installed: its text is not compared"
fi
verdict demo
