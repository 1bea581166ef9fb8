#!/bin/bash
# run.sh - traces of another host, which a shell beside us plays: with tnav, without, and with odd names
tnav=$PWD/src/tnav
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
fail() { echo "not ok: $*"; cat "$work/out" "$work/err" 2>/dev/null; exit 1; }
export XDG_CACHE_HOME=$work/cache TNAV_SSH=$work/ssh
mkdir "$work/cache" "$work/with" "$work/without"
for tool in tar sh cat; do ln -s "$(command -v $tool)" "$work/without/$tool"; ln -s "$(command -v $tool)" "$work/with/$tool"; done
ln -s "$tnav" "$work/with/tnav"
# ssh -T -- HOST COMMAND
cat >"$TNAV_SSH" <<S
#!/bin/sh
echo "\$@" >>"$work/log"
case \$3 in
with | me@with) PATH=$work/with exec sh -c "\$4" ;;
without) PATH=$work/without exec sh -c "\$4" ;;
endless) case \$4 in *tar*) exec cat /dev/zero ;; *) exit 97 ;; esac ;;
*) echo "no such host" >&2; exit 255 ;;
esac
S
chmod +x "$TNAV_SSH"
odd="it's a \$(trace) here"
tests/demo/write_demo "$work/$odd" || exit 99
"$tnav" --print --clock-seconds -f 'sched' "$work/$odd" >"$work/want" 2>/dev/null
[ -s "$work/want" ] || fail "nothing to compare with"
for place in "ssh://with$work/$odd" "ssh://me@with$work/$odd" "with:$work/$odd"; do
	"$tnav" --print --clock-seconds -f 'sched' "$place" >"$work/out" 2>"$work/err" || [ $? = 1 ] || fail "$place"
	cmp "$work/out" "$work/want" || fail "$place"
done
[ -z "$(ls "$work/cache/tnav" 2>/dev/null)" ] || fail "something was copied where tnav is there"
grep -q 'HAVE_LIBARCHIVE 1' config.h || exit 0
for place in "ssh://without$work/$odd" "without:$work/$odd"; do
	"$tnav" --print --clock-seconds -f 'sched' "$place" >"$work/out" 2>"$work/err" || [ $? = 1 ] || fail "$place"
	cmp "$work/out" "$work/want" || fail "$place"
done
# What is written is wanted here.
"$tnav" --export "$work/x" "with:$work/$odd" >"$work/out" 2>"$work/err" || [ $? = 1 ] || fail "--export"
[ -e "$work/x" ] || fail "--export wrote nothing here"
[ -z "$(ls "$work/cache/tnav" | grep ssh-)" ] || fail "a copy is left"
# A folder named with a slash behind it, or as a place that has no name of its own.
for place in "without:$work/$odd/" "without:$work/$odd/." "without:$work/$odd//"; do
	rm -f "$work/x.csv"
	"$tnav" -w "$work/x.csv" -f 'sched' "$place" >"$work/out" 2>"$work/err" || [ $? = 1 ] || fail "-w: $place"
	[ "$(wc -l <"$work/x.csv")" = $(($(wc -l <"$work/want") + 1)) ] || fail "-w: $place: other lines"
done
# A path is never an option of the tnav there, nor of its tools.
cp -r "$work/$odd" "$work/--demo"
cp -r "$work/$odd" "$work/+q"
for host in with without; do
	for name in --demo +q; do
		(cd "$work" && "$tnav" --print --clock-seconds -f 'sched' "$host:$name" >out 2>err) || [ $? = 1 ] || fail "$host:$name"
		cmp "$work/out" "$work/want" || fail "$host:$name"
	done
done
# A comparison says how much it copies, and ends above a limit.
"$tnav" --diff "without:$work/$odd" "$work/$odd" >"$work/out" 2>"$work/err" || [ $? = 1 ] || fail "--diff"
grep -q 'note: copied [0-9.]* MB' "$work/err" || fail "--diff does not say how much was copied"
grep -q '^noise' "$work/out" || fail "--diff: no rows"
grep -q '^sure' "$work/out" && fail "--diff: a trace differs from itself"
"$tnav" --diff --copy-limit 100k "without:$work/$odd" "$work/$odd" >"$work/out" 2>"$work/err" && fail "--copy-limit"
grep -q 'without: the trace is larger than 0.1 MB' "$work/err" || fail "--copy-limit: no reason"
[ -s "$work/out" ] && fail "--copy-limit: rows"
timeout 60 "$tnav" --diff --copy-limit 5M "$work/$odd" endless:/x >"$work/out" 2>"$work/err" && fail "an endless copy"
grep -q 'endless: the trace is larger than 5.2 MB' "$work/err" || fail "an endless copy: no reason"
ls "$work/cache/tnav" | grep ssh- && fail "too large: a copy is left"
# Interrupted: no copy is left; nor one of a program that was killed, when the next one comes.
(ulimit -f 200000; exec "$tnav" --print endless:/x) >"$work/out" 2>"$work/err" & pid=$!
for ((i = 0; i < 400; i++)); do
	[ -n "$(find "$work/cache/tnav" -name 'ssh-*' -size +1)" ] && break
	sleep 0.02
done
kill -INT $pid; wait $pid; status=$?
[ $status = 130 ] || fail "interrupted: $status"
ls "$work/cache/tnav" | grep ssh- && fail "interrupted: a copy is left"
echo left >"$work/cache/tnav/ssh-abcdef"
"$tnav" --print without:/nothing/here >"$work/out" 2>"$work/err" && fail "a trace that is not there"
ls "$work/cache/tnav" | grep ssh- && fail "the copy of a program that was killed is left"
"$tnav" --print nobody:/x >"$work/out" 2>"$work/err" && fail "a host that is not there"
grep -q 'nobody: ssh failed' "$work/err" || fail "nothing is said of a host that is not there"
"$tnav" --print without:/nothing/here >"$work/out" 2>"$work/err" && fail "a trace that is not there"
"$tnav" --print ssh://-oProxyCommand=x/y >"$work/out" 2>"$work/err" && fail "a host that is an option"
grep -q ProxyCommand "$work/log" && fail "ssh got an option for a host"
echo ok
