#!/bin/sh
# tnav --record: a file that tnav opens, with what it did in it; at the end and after a fatal signal
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"
tnav=${TNAV:-src/tnav}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1
export XDG_CACHE_HOME="$work/cache" XDG_STATE_HOME="$work/state"

# has NAME FILE PATTERN
has() {
	if grep -q "$3" "$2"; then ok; else bad "$1: no $3 in"; cat "$2"; fi
}

tests/demo/write_demo "$work/sample" || exit 1
[ "$("$tnav" --record "$work/rec" --count "$work/sample")" = 6016 ] && ok || bad "--count with --record"
"$tnav" --print "$work/rec" >"$work/text" 2>"$work/err" && ok || bad "the record does not open: $(cat "$work/err")"
has "what was started" "$work/text" 'message 1: .*--count'
has "opening" "$work/text" 'message 2: .*sample'
has "the count" "$work/text" 'message 5: .*value = 6016'
has "the exit status" "$work/text" 'message 10: .*value = 0'
"$tnav" --check "$work/rec" >/dev/null 2>&1 && ok || bad "--check of the record"

# Nothing is overwritten.
cp "$work/rec" "$work/kept"
"$tnav" --record "$work/rec" --count "$work/sample" >/dev/null 2>"$work/err"
[ $? -eq 1 ] && cmp -s "$work/rec" "$work/kept" && ok || bad "an existing record"
has "an existing record" "$work/err" "$work/rec"

# A signal: the reader takes one line and leaves the writer waiting in the full pipe.
mkfifo "$work/pipe" || exit 1
"$tnav" --record "$work/rec2" --print "$work/sample" >"$work/pipe" 2>/dev/null &
pid=$!
exec 3<"$work/pipe"
head -n 1 <&3 >/dev/null
kill -TERM "$pid"
wait "$pid"
[ $? -eq 143 ] && ok || bad "the signal did not end the program as it should"
exec 3<&-
"$tnav" --print "$work/rec2" >"$work/text" 2>/dev/null && ok || bad "the record of a killed program does not open"
has "the record of a killed program" "$work/text" 'message 2: .*sample'
has "the signal" "$work/text" 'message 9: .*value = 15'
# The browser, which has handlers of its own to give the terminal back.
for signal in 11 6 15; do
	# A sanitizer has a handler of its own, which must not come first.
	ASAN_OPTIONS="${ASAN_OPTIONS:-}:handle_segv=0:handle_abort=0" XDG_CONFIG_HOME="$work/config" \
		tests/hostile/gone --signal $signal "$tnav" --record "$work/rec.$signal" "$work/sample" >"$work/err" 2>&1
	case $signal in
	15) ;;	# a wish, which it answers by leaving: the exit status is in the record
	*) [ ! -s "$work/err" ] && ok || bad "the browser and signal $signal: $(cat "$work/err")" ;;
	esac
	"$tnav" --print "$work/rec.$signal" >"$work/text" 2>/dev/null && ok ||
		bad "the record of a browser that signal $signal ended does not open"
	has "the record of the browser, signal $signal" "$work/text" 'message 2: .*sample'
	has "the end by signal $signal" "$work/text" "value = $([ $signal = 15 ] && echo 143 || echo $signal)"
done
verdict record
