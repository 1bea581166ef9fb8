#!/bin/sh
# run.sh - what a path leads to: folders, stream files named alone, links, what cannot be read
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"
tnav=${TNAV:-src/tnav}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1
export XDG_CACHE_HOME="$work/cache" TNAV="$tnav"

tests/demo/write_demo "$work/demo" || exit 1
make_case() {
	"$top/tests/golden/run" --make "$2" "$top/tests/golden/$1.tnt" >/dev/null || bad "$1 cannot be made"
}

# tnav ARG...: into $out, $err and $status
run() {
	"$tnav" "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	out=$(cat "$work/out")
	err=$(cat "$work/err")
}

# is WHAT STATUS OUT ERR: ERR is part of standard error, nothing: nothing was said
is() {
	if [ "$status" -ne "$2" ]; then
		bad "$1: exit status $status, not $2: $err"
	elif [ "$out" != "$3" ]; then
		bad "$1: '$(printf '%s' "$out" | head -n 3)', not '$3'"
	elif [ -z "$4" ] && [ -n "$err" ]; then
		bad "$1: $err"
	else
		case $err in
		*"$4"*) ok ;;
		*) bad "$1: no '$4' in '$err'" ;;
		esac
	fi
}

# A stream file named alone: that stream of its trace. All of them, each alone, are the trace.
run --count "$work/demo"
whole=$out
sum=0
for stream in $(cd "$work/demo" && find . -type f ! -name metadata ! -path './index/*' | LC_ALL=C sort); do
	run --count "$work/demo/$stream"
	[ $status -eq 0 ] && [ -z "$err" ] && ok || bad "$stream alone: $err"
	sum=$((sum + out))
	last=$work/demo/$stream
done
out=$sum
is "all streams, each alone" 0 "$whole" ""
run --count "$work/demo/metadata"
is "the metadata stands for the trace" 0 "$whole" ""
run --count "$last" "$work/demo"
is "a stream and then its trace" 0 "$whole" ""
run --count "$work/demo" "$last"
is "a trace and then its stream" 0 "$whole" ""
(cd "$work/demo" && "$OLDPWD/$tnav" --count "$(basename "$last")") >"$work/out" 2>"$work/err" ||
	"$tnav" --count "$last" >"$work/out"
one=$(cat "$work/out")
run --count "$last" "$last"
is "a stream twice" 0 "$one" ""

# What belongs to a trace is nothing else.
cp "$last" "$work/alone"
run --count "$work/alone"
is "a stream without metadata" 1 "" "without the file that describes it"
echo 'This is no stream of any trace.' >"$work/demo/README"
run --count "$work/demo/README"
is "no stream" 1 "" "is not a stream of the trace"
rm "$work/demo/README"
make_case ovni/attributes "$work/ovni"
run --print --no-delta "$work/ovni/a/stream.obs"
is "a thread of ovni" 0 '[00:00:00.000000001] OAs: { loom = "node.a", pid = 7, tid = 1, rank = 2 }, { text = "this thread moves to the CPU with loom index 1", cpu = 1, phyid = 40 }' ""
make_case ovni/events "$work/parts"
run --count "$work/parts/ovni/loom.node.a/proc.7/thread.7/stream.json"
is "a thread by its stream.json" 0 3 ""
run --info "$work/parts/ovni/loom.node.a/proc.7/thread.7/stream.obs"
case $out in *"$work/parts/ovni"*) ok ;; *) bad "the trace of a thread: $out" ;; esac
cp "$work/ovni/a/stream.obs" "$work/stream"
run --count "$work/stream"
is "a thread without stream.json" 1 "" "without the file that describes it"

# Links: to files they are followed, to folders they are not.
mkdir "$work/links" "$work/links/trace" "$work/links/sub"
cp "$work/demo/metadata" "$work/links/trace/metadata"
ln -s "$last" "$work/links/trace/linked"
ln -s ../trace "$work/links/sub/again"
ln -s .. "$work/links/sub/up"
run --count "$work/links"
is "links inside of a folder" 0 "$one" ""
ln -s "$work/demo" "$work/links/out"
run --count "$work/links"
is "a link out of a folder" 0 "$one" "to read that folder, name $work/demo"
run --count "$work/links/out"
is "a link that is named" 0 "$whole" ""
ln -s / "$work/links/sub/root"
run --count "$work/links"
is "a link to all there is" 0 "$one" "name /"
ln -s nowhere "$work/links/trace/gone"
run --count "$work/links"
is "a stream that is nowhere" 1 "$one" "gone: the target of the link: No such file"
rm "$work/links/trace/gone"
ln -s nowhere "$work/links/sub/gone"
run --count "$work/links"
is "a link that is nowhere" 0 "$one" "links/out: a link to a folder outside of"
case $err in *gone*) bad "a link that is nowhere is more than a note: $err" ;; *) ok ;; esac
"$tnav" --check "$work/links" 2>&1 | grep -q "note: $work/links/sub/gone: the target of the link: No such file" && ok || bad "no note of a link that is nowhere"
ln -s nowhere "$work/links/sub/metadata"
run --count "$work/links"
is "metadata that are nowhere" 1 "$one" "sub/metadata: the target of the link: No such file"
rm "$work/links/sub/metadata"
mkdir "$work/ovni/more"
ln -s ../a "$work/ovni/more/inside"
ln -s "$work/parts" "$work/ovni/more/outside"
ln -s nowhere "$work/ovni/more/something"
run --count "$work/ovni"
is "a link that is nowhere in a trace of ovni" 0 4 "more/outside: a link to a folder outside of"
ln -s nowhere "$work/ovni/more/stream.json"
run --count "$work/ovni"
is "links in a trace of ovni" 1 4 "stream.json: the target of the link"
case $err in *"name $work/parts"*) ok ;; *) bad "ovni: a link out: $err" ;; esac
# Files of other tracers beside a trace: formats with a magic number are opened, others are named.
mkdir -p "$work/mixed/logs"
cp -R "$work/demo" "$work/mixed/demo"
make_case tracedat/every-kind "$work/mixed/logs"
make_case perfdata/every-kind "$work/mixed/logs"
make_case perfetto/ftrace "$work/mixed/logs"
sum=$whole
for file in "$work"/mixed/logs/*; do
	run --count "$file"
	sum=$((sum + out))
done
[ "$(ls "$work/mixed/logs" | wc -l)" -eq 3 ] && ok || bad "not three files: $(ls "$work/mixed/logs")"
run --count "$work/mixed"
is "files of other tracers below a folder" 0 "$sum" "logs/t.dat: the format of test:overlapping"
run --count "$work/mixed/logs"/* "$work/mixed"
is "such files, and their folder" 0 "$sum" "logs/t.dat: the format of test:overlapping"
run --count --format=ctf "$work/mixed"
is "one format of several" 0 "$whole" ""
# What grows is only the CTF trace; the rest is shown once.
timeout -s INT 60 "$tnav" --print --follow --no-delta "$work/mixed" >"$work/out" 2>"$work/err" &
follows=$!
for i in $(seq 600); do
	[ "$(wc -l <"$work/out")" -ge "$sum" ] && break
	sleep 0.1
done
kill -INT $follows
wait $follows
[ "$(wc -l <"$work/out")" -eq "$sum" ] && ok || bad "$(wc -l <"$work/out") of $sum events are followed: $(cat "$work/err")"
[ "$(grep -c 'shown as it is now' "$work/err")" -eq 3 ] && ok || bad "what is not followed is not named: $(cat "$work/err")"
old=$work/mixed/logs/p.data.old
mv "$work/mixed/logs/p.data" "$old"
run --count "$old"
sum=$((sum - out))
make_case chromejson/object "$work/mixed/logs"
run --count "$work/mixed"
is "a file that perf pushed aside" 0 "$sum" "$old: this trace (perf.data) is not opened with its folder"
is "a file of JSON" 0 "$sum" "this trace (chrome-json) is not opened with its folder"

"$tnav" --print 2>"$work/err"
[ $? -eq 2 ] && grep -q 'no trace given' "$work/err" && ok || bad "no trace: $(cat "$work/err")"

verdict open
