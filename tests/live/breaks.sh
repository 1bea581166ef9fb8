#!/bin/bash
# breaks.sh - connections that break, with real daemons: cut in the middle of answers, a relay that stops, one that is killed
. "${srcdir:-.}/tests/live/daemons.sh"

# The first cut comes when the session is there; each record of the protocol has its cut, short connections make no progress.
cuts=(20000 7 30000 22 20 24 25000 300 400 50000 410 420 430 3000 9000 14000 60000 15000 16000 17000 18000 19000 70000)
"$top/tests/live/proxy" $((port + 2)) "$work/cuts" "${cuts[@]}" >"$work/port" 2>"$work/proxy.err" & proxy=$!
for ((i = 0; i < 200; i++)); do
	[ -s "$work/port" ] && break
	kill -0 $proxy 2>/dev/null || { proxy=; break; }
	sleep 0.05
done
session cut --buffers-uid --subbuf-size=4096 --num-subbuf=16
if [ -n "$proxy" ]; then	# else there is no ::1 here
	timeout 60 "$tnav" --print "net://[::1]:$(cat "$work/port")/host/$host/cut" >"$work/cut.live" 2>"$work/cut.err" & viewer=$!
	app 3000 600 800
	lines 6750 "$work/cut.live"	# a session that is destroyed is gone for who is just connecting again
	ask stop cut
	ask destroy cut
	wait $viewer || fail "tnav ended with $?"
	disk cut >"$work/cut.disk"
	cmp "$work/cut.live" "$work/cut.disk" || fail "cut: other lines live than from disk"
	[ "$(wc -l <"$work/cuts")" -ge 12 ] || fail "only $(wc -l <"$work/cuts") cuts"
	grep -q 'The connection to the relay was lost and made again' "$work/cut.err" || fail "no row of a break"
	grep -v 'connecting again$\|lost and made again' "$work/cut.err" && fail "cut: what is that?"
fi

# Stopped for longer than streams are waited for: nothing comes late.
session stopped --buffers-uid
timeout 60 "$tnav" --print --live-lag=1 $net/host/$host/stopped >"$work/stopped.live" 2>"$work/stopped.err" & viewer=$!
app 2500 1000 600 & one=$!
lines 200 "$work/stopped.live"
kill -STOP $relay
sleep "${LIVE_STOP:-2}"
kill -CONT $relay
wait $one
ask stop stopped
ask destroy stopped
wait $viewer || fail "tnav ended with $?"
disk stopped | cmp - "$work/stopped.live" || fail "stopped: other lines live than from disk"
[ ! -s "$work/stopped.err" ] || fail "stopped: $(cat "$work/stopped.err")"

# Killed, and another one there: what came is printed, and that the session has gone.
session killed --buffers-uid
timeout 60 "$tnav" --print $net/host/$host/killed >"$work/killed.live" 2>"$work/killed.err" & viewer=$!
app 400 1000 600
lines 100 "$work/killed.live"
kill -KILL $relay
wait $relay 2>/dev/null
start_relay || fail "no other relay on the same ports"
wait $viewer || fail "tnav ended with $?"
disk killed >"$work/killed.disk"
head -c "$(wc -c <"$work/killed.live")" "$work/killed.disk" | cmp - "$work/killed.live" || fail "killed: not the begin of what is on disk"
grep -q 'connecting again$' "$work/killed.err" || fail "nothing is said of the loss"
grep -q "the relay has no session killed of $host; it has no session" "$work/killed.err" || fail "nothing is said of the end"
[ "$(sort "$work/killed.err" | uniq -d | wc -l)" = 0 ] || fail "the same again and again"
[ -z "$(ls -A "$work/cache/tnav" 2>/dev/null)" ] || fail "a spool is left"
echo ok
