#!/bin/bash
# sshd.sh - traces of another host, through a real sshd on the loopback: its own tnav, and without one a copy
#
# Keys, configuration and ports of its own; ended by its id. Without sshd there is nothing to do (77).
tnav=$PWD/src/tnav
sshd=$(PATH=$PATH:/usr/sbin command -v sshd) || { echo "no sshd here"; exit 77; }
for tool in ssh ssh-keygen tar; do command -v $tool >/dev/null || { echo "no $tool here"; exit 77; }; done
work=$(mktemp -d) || exit 99
pid=
trap '[ -z "$pid" ] || { kill $pid 2>/dev/null; wait $pid 2>/dev/null; }; rm -rf "$work"' EXIT
fail() { echo "not ok: $*"; tail -n 20 "$work/err" "$work/sshd.log" 2>/dev/null; exit 1; }
export XDG_CACHE_HOME=$work/cache TNAV_SSH=$work/ssh
mkdir "$work/cache" "$work/with" "$work/without"
chmod 700 "$work"
for tool in tar sh cat; do ln -s "$(command -v $tool)" "$work/without/$tool"; ln -s "$(command -v $tool)" "$work/with/$tool"; done
ln -s "$tnav" "$work/with/tnav"
ssh-keygen -q -t ed25519 -N '' -f "$work/host" && ssh-keygen -q -t ed25519 -N '' -f "$work/key" || exit 77
[ "$(id -u)" != 0 ] || mkdir -p /run/sshd 2>/dev/null
start() {	# PORT: that one and the next
	cat >"$work/sshd_config" <<-C
	ListenAddress 127.0.0.1
	Port $1
	Port $(($1 + 1))
	HostKey $work/host
	PidFile none
	AuthorizedKeysFile $work/key.pub
	StrictModes no
	UsePAM no
	PasswordAuthentication no
	PermitRootLogin yes
	Match LocalPort $1
		SetEnv PATH=$work/with XDG_CACHE_HOME=$work/cache
	Match LocalPort $(($1 + 1))
		SetEnv PATH=$work/without
	C
	cat >"$work/config" <<-C
	Host with without
		HostName 127.0.0.1
		IdentityFile $work/key
		IdentitiesOnly yes
		StrictHostKeyChecking accept-new
		UserKnownHostsFile $work/known
		BatchMode yes
	Host with
		Port $1
	Host without
		Port $(($1 + 1))
	C
	printf '#!/bin/sh\nexec ssh -F %s/config "$@"\n' "$work" >"$TNAV_SSH"
	chmod +x "$TNAV_SSH"
	"$sshd" -D -e -f "$work/sshd_config" 2>"$work/sshd.log" & pid=$!
	local i
	for i in {1..50}; do
		"$TNAV_SSH" -T -- with true 2>/dev/null && return
		kill -0 $pid 2>/dev/null || return 1
		sleep 0.05
	done
	return 1
}
for try in 1 2 3; do
	start $((20000 + (RANDOM % 10000) * 2)) && break
	kill $pid 2>/dev/null; wait $pid 2>/dev/null; pid=
done
[ -n "$pid" ] || { echo "sshd does not run here"; cat "$work/sshd.log"; exit 77; }

odd="it's a \$(trace) here"
tests/demo/write_demo "$work/$odd" || exit 99
"$tnav" --print --clock-seconds -f 'sched' "$work/$odd" >"$work/want" 2>/dev/null
[ -s "$work/want" ] || fail "nothing to compare with"
copies() { ls "$work/cache/tnav" 2>/dev/null | grep -c '^archive-\|^ssh-'; }
for place in "ssh://with$work/$odd" "ssh://$(id -un)@with$work/$odd" "with:$work/$odd"; do
	"$tnav" --print --clock-seconds -f 'sched' "$place" >"$work/out" 2>"$work/err" || [ $? = 1 ] || fail "$place"
	cmp "$work/out" "$work/want" || fail "$place"
done
[ "$(copies)" = 0 ] || fail "something was copied where tnav is there"
if grep -q 'HAVE_LIBARCHIVE 1' config.h; then
	"$tnav" --print --clock-seconds -f 'sched' "ssh://without$work/$odd" >"$work/out" 2>"$work/err" || [ $? = 1 ] || fail "a copy"
	cmp "$work/out" "$work/want" || fail "a copy"
	[ "$(copies)" -gt 0 ] || fail "nothing was copied where no tnav is"
fi
"$tnav" --print "ssh://with$work/nothing" >"$work/out" 2>"$work/err" && fail "a trace that is not there"
grep -q "$work/nothing: No such file" "$work/err" || fail "a trace that is not there: $(cat "$work/err")"
rm "$work/key.pub"
"$tnav" --print "ssh://with$work/$odd" >"$work/out" 2>"$work/err" && fail "without a key"
grep -q 'with: ssh failed' "$work/err" || fail "without a key: $(cat "$work/err")"
echo ok
