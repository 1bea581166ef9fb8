# daemons.sh - a relay daemon and a session daemon of LTTng on the loopback, for the tests beside it (sourced)
#
# Each has its own runtime folder and is ended by its id. Without LTTng there is nothing to do (77).
top=$(cd "${srcdir:-.}" && pwd)
tnav=$PWD/src/tnav
for tool in lttng lttng-sessiond lttng-relayd babeltrace2 setpriv perl; do
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
relay='' daemon='' proxy=''
finish() {
	local pid
	for pid in $daemon $relay $proxy; do
		kill -CONT "$pid" 2>/dev/null
		kill "$pid" 2>/dev/null; wait "$pid" 2>/dev/null
	done
	rm -rf "$work"
}
trap finish EXIT
fail() { echo "not ok: $*"; tail -n 5 "$work"/*.err "$work"/*.log 2>/dev/null; exit 1; }
ask() { timeout 20 "${as[@]}" lttng --no-sessiond "$@" >>"$work/lttng.log" 2>&1 || fail "lttng $*"; }

${CC:-cc} -O1 -I"$top/tests/live" "$top/tests/live/app.c" -o "$work/app" -llttng-ust -lpthread -ldl 2>"$work/cc.log" ||
	{ echo "no liblttng-ust here"; exit 77; }
app() { "${as[@]}" "$work/app" "$@"; }

start_relay() {
	"${as[@]}" lttng-relayd -C tcp://127.0.0.1:$port -D tcp://127.0.0.1:$((port + 1)) -L tcp://127.0.0.1:$((port + 2)) \
		-o "$work/relay" >"$work/relayd.log" 2>&1 & relay=$!
	local i
	for i in {1..100}; do
		"$tnav" net://127.0.0.1:$((port + 2)) >/dev/null 2>&1 && return
		kill -0 $relay 2>/dev/null || break
		sleep 0.05
	done
	return 1
}
# Ports that are free now; another try when somebody was faster.
for try in 1 2 3 4 5; do
	port=$((20000 + (RANDOM % 10000) * 3))
	start_relay && break
done
"${as[@]}" lttng-sessiond --no-kernel >"$work/sessiond.log" 2>&1 & daemon=$!
for i in {1..100}; do
	"${as[@]}" lttng --no-sessiond list >/dev/null 2>&1 && break
	sleep 0.1
done
net=net://127.0.0.1:$((port + 2))

# session NAME CHANNEL-OPTION...: made and started; $host is this machine's name
session() {
	local name=$1
	shift
	ask create $name --live=200000 --ctrl-url=tcp://127.0.0.1:$port --data-url=tcp://127.0.0.1:$((port + 1))
	ask enable-channel -u --session=$name "$@" ch0
	ask enable-event -u 'tnavtest:*' -c ch0 --session=$name
	ask start $name
	host=$("$tnav" $net | sed -n "s|^net.*/host/\(.*\)/$name .*|\1|p")
	[ -n "$host" ] || fail "$name is not listed"
}
# lines N FILE: wait until there are so many
lines() {
	local i
	for ((i = 0; i < 600; i++)); do
		[ -e "$2" ] && [ "$(wc -l <"$2")" -ge "$1" ] && return
		sleep 0.05
	done
	fail "$2 has $(wc -l <"$2") lines, not $1"
}
# What a relay has of a process that has ended, and nobody has fetched, never comes: programs stay until it is printed.
# stay EVENTS MICROSECONDS: one that does; ended N FILE: there are so many lines, and they may end
programs=
stay() { app "$1" "$2" "$work/end" & programs="$programs $!"; }
ended() {
	lines "$1" "$2"
	: >"$work/end"
	wait $programs
	programs=
	rm "$work/end"
}
# disk NAME: what babeltrace2 prints of what the relay stored
disk() { TZ=UTC babeltrace2 "$work"/relay/"$host"/$1-* 2>/dev/null; }
