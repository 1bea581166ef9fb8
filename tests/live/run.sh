#!/bin/bash
# run.sh - real daemons of LTTng on the loopback: what tnav prints live is what babeltrace2 prints from disk
#
# Two sessions, one after the other, buffers by user and by process, two programs at once. LIVE_TIMES=100: so many times
# attached and detached.
. "${srcdir:-.}/tests/live/daemons.sh"

for buffers in uid pid; do
	session $buffers --buffers-$buffers
	timeout 60 "$tnav" --print $net/host/$host/$buffers >"$work/$buffers.live" 2>"$work/$buffers.err" & viewer=$!
	stay 500 1000
	stay 300 2000
	ended 1802 "$work/$buffers.live"
	# One viewer a session: a second one is told so.
	timeout 60 "$tnav" --print $net/host/$host/$buffers 2>&1 | grep -q 'another viewer reads it' ||
		fail "a second viewer is not told"
	ask stop $buffers
	ask destroy $buffers
	wait $viewer || fail "tnav ended with $?"
	disk $buffers >"$work/$buffers.disk"
	[ "$(wc -l <"$work/$buffers.disk")" = 1802 ] || fail "$buffers: $(wc -l <"$work/$buffers.disk") events on disk"
	cmp "$work/$buffers.live" "$work/$buffers.disk" || fail "$buffers: other lines live than from disk"
done

# A comparison reads a session to its end, on either side, says how much that is, and stops at the limit.
session diff --buffers-uid
timeout 60 "$tnav" --diff --output-format=jsonl "$work"/relay/"$host"/uid-* $net/host/$host/diff >"$work/diff.out" 2>"$work/diff.err" &
viewer=$!
stay 300 500
for ((i = 0; i < 600; i++)); do
	find "$work/cache/tnav" -type f ! -name 'metadata*' -size +3k 2>/dev/null | grep -q . && break
	sleep 0.05
done
: >"$work/end"
wait $programs
programs=
rm "$work/end"
ask stop diff
ask destroy diff
wait $viewer || fail "--diff net:// ended with $?"
grep -q '"second":{"count":[1-9]' "$work/diff.out" || fail "--diff net://: the second side has no events"
grep -q '"first":{"count":[1-9]' "$work/diff.out" || fail "--diff net://: the first side has no events"
grep -q '^tnav: note: copied [0-9.]* MB' "$work/diff.err" || fail "--diff net:// does not say how much is copied"
session large --buffers-uid
timeout 60 "$tnav" --diff --copy-limit=1 $net/host/$host/large "$work"/relay/"$host"/uid-* >"$work/large.out" 2>"$work/large.err" &
viewer=$!
stay 300 500
wait $viewer && fail "--copy-limit: net:// was copied"
grep -q "/large: the trace is larger than 0.0 MB" "$work/large.err" || fail "--copy-limit: net:// without a reason"
[ -s "$work/large.out" ] && fail "--copy-limit: net://: rows"
: >"$work/end"
wait $programs
programs=
rm "$work/end"
ask stop large
ask destroy large

# Two sessions, with nothing recorded at first, and a folder as one timeline; rotation is refused meanwhile.
session one --buffers-uid
session two --buffers-pid
TZ=UTC "$tnav" --print $net/host/$host/one $net/host/$host/two "$work"/relay/"$host"/uid-* >"$work/both.live" \
	2>"$work/both.err" & viewer=$!
stay 200 500
ended 2702 "$work/both.live"
timeout 20 "${as[@]}" lttng --no-sessiond rotate two >/dev/null 2>&1 && fail "a live session was rotated"
stay 200 500
ended 3602 "$work/both.live"
kill -INT $viewer
wait $viewer || fail "tnav ended with $?"
grep -v '^tnav: warning: \|^WARNING: Tracer discarded' "$work/both.err" && fail "two sessions: what is that?"
# What a session announces when others are ahead comes late (a loaded machine): it is told then, else the lines are in order.
grep -q 'came late' "$work/both.err" || cut -d' ' -f1 "$work/both.live" | sort -c || fail "two sessions: not in order"

# On a terminal the list is a menu: a wrong number asks again, Enter opens none.
if command -v script >/dev/null; then
	printf '9\n\n' | timeout 20 script -qec "'$tnav' $net" /dev/null >"$work/menu.err" || fail "the menu ended with $?"
	grep -q '^  [12]  net://.*/two ' "$work/menu.err" || fail "no number before a session"
	[ "$(grep -o 'Enter: none' "$work/menu.err" | wc -l)" = 2 ] || fail "9 was taken as a session"
	# Its number opens one in the browser, which takes the terminal and leaves at once here.
	printf '2\nQ' | TERM=xterm timeout 20 script -qec "'$tnav' $net" /dev/null >"$work/menu.two" ||
		fail "the chosen session ended with $?"
	grep -q '\[?1049h' "$work/menu.two" || fail "the number of a session does not open it"
fi

# With what comes: nothing of before. Cleared meanwhile. (With two live sessions that have viewers lttng would hang.)
timeout 60 "$tnav" --print --live-from=now $net/host/$host/two >"$work/now.live" 2>"$work/now.err" & viewer=$!
for ((i = 0; i < 200; i++)); do
	"$tnav" $net | grep -q '/two .* 1 viewer' && break
	sleep 0.05
done
stay 100 100
ended 226 "$work/now.live"
ask clear two
stay 100 100
ended 452 "$work/now.live"
ask stop two
ask destroy two
wait $viewer || fail "tnav ended with $?"
[ "$(wc -l <"$work/now.live")" = 452 ] || fail "from now on: $(wc -l <"$work/now.live") lines"

# What lttng view passes.
printf '#!/bin/sh\nfor a; do echo "[$a]"; done\n' >"$work/argv"
chmod 755 "$work/argv"
viewed=$("${as[@]}" lttng --no-sessiond view one -e "$work/argv --print" 2>/dev/null)
[ "$viewed" = "[--print]
[net://localhost/host/$host/one]" ] || fail "lttng view passes other things: $viewed"
ask create files --output="$work/home/files"
ask enable-event -u 'tnavtest:*' --session=files
ask start files
app 100 0 10
ask stop files
TZ=UTC "${as[@]}" env XDG_CACHE_HOME="$work/home" lttng --no-sessiond view files -e "$tnav --print" >"$work/files.view" 2>"$work/files.err" ||
	fail "lttng view: $?"
TZ=UTC babeltrace2 "$work/home/files" 2>/dev/null | cmp - "$work/files.view" || fail "lttng view: other lines"
ask destroy files

# Who dies leaves what was received: the next one tells where it is, and it opens.
TZ=UTC "$tnav" --print $net/host/$host/one >"$work/dead.live" 2>"$work/dead.err" & viewer=$!
lines 900 "$work/dead.live"
kill -KILL $viewer
wait $viewer 2>/dev/null
"$tnav" --print $net/host/$host/one >/dev/null 2>"$work/left.err" & viewer=$!
lines 1 "$work/left.err"
kill -INT $viewer
wait $viewer || fail "tnav ended with $?"
left=$(sed -n 's/^tnav: warning: \(.*\): [0-9]* bytes of a live session, left by a program.*/\1/p' "$work/left.err")
[ -d "$left" ] || fail "nothing is said of what is left"
TZ=UTC "$tnav" --print "$left" 2>/dev/null >"$work/dead.all"
head -c "$(wc -c <"$work/dead.live")" "$work/dead.all" | cmp - "$work/dead.live" || fail "what is left is something else"
rm -rf "$left"

# Attached and detached again and again, nothing is left.
things() { ls /proc/$relay/fd /proc/$relay/task | wc -l; }
before=$(things)
for ((i = 0; i < ${LIVE_TIMES:-12}; i++)); do
	timeout --foreground -s INT 0.0$((RANDOM % 9 + 1)) "$tnav" --print $net/host/$host/one >/dev/null 2>>"$work/many.err"
done
for ((i = 0; i < 100; i++)); do
	[ "$(things)" -le "$before" ] && break
	sleep 0.05
done
[ "$(things)" -le "$before" ] || fail "the relay had $before files and threads, and has $(things)"
"$tnav" $net | grep -q '/one .* 0 viewers' || fail "the relay thinks that somebody looks"
[ -z "$(ls -A "$work/cache/tnav" 2>/dev/null)" ] || fail "a spool is left"
echo "ok: 3604 events live as from disk"
