#!/bin/bash
# run.sh - real daemons of LTTng on the loopback: what tnav prints live is what babeltrace2 prints from disk
#
# Two sessions, one after the other, buffers by user and by process, two programs at once. Each
# daemon has its own runtime folder and is ended by its id. Without LTTng there is nothing to do (77).
top=$(cd "${srcdir:-.}" && pwd)
tnav=$PWD/src/tnav
for tool in lttng lttng-sessiond lttng-relayd babeltrace2 setpriv; do
	command -v $tool >/dev/null || { echo "no $tool here"; exit 77; }
done
work=$(mktemp -d) || exit 99
export LTTNG_HOME=$work/home XDG_CACHE_HOME=$work/cache
as=()
# What root starts would share its runtime folder with others.
[ "$(id -u)" = 0 ] && as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
mkdir -p "$work/home" "$work/cache" "$work/relay"
chmod 755 "$work"
[ "$(id -u)" = 0 ] && chown 65534:65534 "$work/home" "$work/relay"
relay='' daemon=''
finish() {
	[ -z "$daemon" ] || { kill "$daemon" 2>/dev/null; wait "$daemon" 2>/dev/null; }
	[ -z "$relay" ] || { kill "$relay" 2>/dev/null; wait "$relay" 2>/dev/null; }
	rm -rf "$work"
}
trap finish EXIT
fail() { echo "not ok: $*"; tail -n 5 "$work"/*.err "$work"/*.log 2>/dev/null; exit 1; }

${CC:-cc} -O1 -I"$top/tests/live" "$top/tests/live/app.c" -o "$work/app" -llttng-ust -lpthread -ldl 2>"$work/cc.log" ||
	{ echo "no liblttng-ust here"; exit 77; }
# Ports that are free now; another try when somebody was faster.
for try in 1 2 3 4 5; do
	port=$((20000 + (RANDOM % 10000) * 3))
	"${as[@]}" lttng-relayd -C tcp://127.0.0.1:$port -D tcp://127.0.0.1:$((port + 1)) -L tcp://127.0.0.1:$((port + 2)) \
		-o "$work/relay" >"$work/relayd.log" 2>&1 & relay=$!
	for i in {1..100}; do
		"$tnav" net://127.0.0.1:$((port + 2)) >/dev/null 2>&1 && break 2
		kill -0 $relay 2>/dev/null || break
		sleep 0.05
	done
done
"${as[@]}" lttng-sessiond --no-kernel >"$work/sessiond.log" 2>&1 & daemon=$!
for i in {1..100}; do
	"${as[@]}" lttng --no-sessiond list >/dev/null 2>&1 && break
	sleep 0.1
done
ask() { timeout 20 "${as[@]}" lttng --no-sessiond "$@" >>"$work/lttng.log" 2>&1 || fail "lttng $*"; }
net=net://127.0.0.1:$((port + 2))
for buffers in uid pid; do
	ask create $buffers --live=200000 --ctrl-url=tcp://127.0.0.1:$port --data-url=tcp://127.0.0.1:$((port + 1))
	ask enable-channel -u --buffers-$buffers --session=$buffers ch0
	ask enable-event -u 'tnavtest:*' -c ch0 --session=$buffers
	ask start $buffers
	host=$("$tnav" $net | sed -n "s|^/host/\(.*\)/$buffers .*|\1|p")
	[ -n "$host" ] || fail "$buffers is not listed"
	timeout 60 "$tnav" --print $net/host/$host/$buffers >"$work/$buffers.live" 2>"$work/$buffers.err" & viewer=$!
	"${as[@]}" "$work/app" 500 1000 600 & one=$!
	"${as[@]}" "$work/app" 300 2000 600 & two=$!
	wait $one $two
	# One viewer a session: a second one is told so.
	timeout 60 "$tnav" --print $net/host/$host/$buffers 2>&1 | grep -q 'another viewer has it' ||
		fail "a second viewer is not told"
	ask stop $buffers
	ask destroy $buffers
	wait $viewer || fail "tnav ended with $?"
	TZ=UTC babeltrace2 "$work"/relay/"$host"/$buffers-* >"$work/$buffers.disk" 2>/dev/null
	[ "$(wc -l <"$work/$buffers.disk")" = 1802 ] || fail "$buffers: $(wc -l <"$work/$buffers.disk") events on disk"
	cmp "$work/$buffers.live" "$work/$buffers.disk" || fail "$buffers: other lines live than from disk"
done
[ -z "$(ls "$work/cache/tnav" 2>/dev/null)" ] || fail "a spool is left"
echo "ok: 3604 events live as from disk"
