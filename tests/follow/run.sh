#!/bin/bash
# run.sh - a trace that is written while tnav prints it: events as they come, in order; what comes late is marked
#
# Nothing here depends on how fast it goes: each step waits for what the one before has printed.
tnav=$PWD/src/tnav
work=$(mktemp -d) || exit 99
pid=
trap '[ -z "$pid" ] || kill -9 $pid 2>/dev/null; rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
fail() { echo "not ok: $*"; cat "$work/out" "$work/err"; exit 1; }

mkdir -p "$work/all/t"
metadata() {
	cat <<-'M'
	/* CTF 1.8 */
	typealias integer { size = 32; align = 8; signed = false; } := u32;
	typealias integer { size = 64; align = 8; signed = false; } := u64;
	trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u64 stream_instance_id; }; };
	clock { name = c; freq = 1000000000; };
	typealias integer { size = 64; align = 8; signed = false; map = clock.c.value; } := time;
	stream { packet.context := struct { time timestamp_begin; time timestamp_end; u64 content_size; u64 packet_size; };
	  event.header := struct { time timestamp; }; };
	event { name = "e"; fields := struct { u32 n; }; };
	M
}
# packet STREAM TIME...: a packet with an event at each time, which is its field too
packet() {
	perl -e '($s, @t) = @ARGV; $n = 44 + 12 * @t;
		print pack("VQ<Q<Q<Q<Q<", 0xc1fc1fc1, $s, $t[0], $t[-1], 8 * $n, 8 * $n), map { pack("Q<V", $_, $_) } @t' "$@" \
		>>"$work/all/t/s$1"
}
# printed N...: these events, in this order, and no more, as soon as they are there
printed() {
	local want have i
	want=$(printf '%s ' "$@")
	for ((i = 0; i < 600; i++)); do
		have=$(sed -n 's/.*n = \([0-9]*\) .*/\1/p' "$work/out" | tr '\n' ' ')
		[ "$have" = "$want" ] && return
		kill -0 $pid 2>/dev/null || break
		sleep 0.05
	done
	fail "printed '$have', not '$want'"
}
"$tnav" --print --follow --live-lag=1 --clock-cycles "$work/all" >"$work/out" 2>"$work/err" & pid=$!
metadata >"$work/all/t/metadata"
packet 0 10 20
packet 1 15 30
printed 10 15 20 30
packet 0 40 50 60
printed 10 15 20 30 40 50 60
# The other stream was not waited for.
packet 1 45 55 70
printed 10 15 20 30 40 50 60 45 55 70
grep -q 's1: 2 events came late' "$work/err" || fail "nothing is said of what came late"
# A folder that cannot be looked into any more is told of once; what it has when it can be comes all the same.
mv "$work/all/t" "$work/away"
ln -s t "$work/all/t"
for ((i = 0; i < 600; i++)); do
	grep -q "new data in this folder is not shown" "$work/err" && break
	sleep 0.05
done
grep -q "$work/all/t: the folder cannot be read: .*: new data in this folder is not shown" "$work/err" || fail "a folder that cannot be read is no news"
rm "$work/all/t"
mv "$work/away" "$work/all/t"
packet 0 80 90
packet 1 81 91
printed 10 15 20 30 40 50 60 45 55 70 80 81 90 91
[ "$(grep -c 'Too many levels' "$work/err")" -lt 3 ] || fail "a folder that cannot be read is told of again and again"
kill -INT $pid
wait $pid; status=$?; pid=
[ $status = 1 ] || fail "ended with $status, after a folder could not be read"
# A relay that is not there.
"$tnav" --print net://127.0.0.1:1/host/m/s >"$work/out" 2>"$work/err" && fail "no relay, and no error"
grep -q 'relay 127.0.0.1 port 1: cannot connect (lttng-relayd listens for viewers at port 5344' "$work/err" || fail "no relay"
for what in --count --by=name --export="$work/none"; do	# nothing that looks like an answer
	"$tnav" $what net://127.0.0.1:1/host/m/s >"$work/out" 2>"$work/err"
	[ $? = 1 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" = 1 ] || fail "$what of no relay: $(cat "$work/out" "$work/err")"
done
echo ok
