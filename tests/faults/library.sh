#!/bin/sh
# library.sh - the library while calls of the system fail: tests/faults/library with traces of each format, and with
# the traces of all golden cases while memory is out
#
#   FAULTS=all	every call; FAULTS=N every N-th; else every 17th. Of the golden cases it is every 31st of those,
#		and without FAULTS only every sixteenth case.
top=$(cd "${srcdir:-.}" && pwd)
here=$PWD
step=${FAULTS:-17}
[ "$step" = all ] && step=1
if [ "$(od -An -tx1 -j4 -N1 tests/faults/library | tr -d ' ')" = 01 ]; then
	echo "faults: on 32 bits the calls of the system have other names, with 64: open64, mmap64"
	exit 77
fi
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cases="ctf1/index-lttng ctf1/lost-both ctf2/attributes kedr/standard ovni/attributes vartrace/wrapped-subtrace"
traces=
for case in $cases; do
	name=$(echo "$case" | tr / -)
	perl "$top/tests/golden/run" --make "$tmp/$name" "$top/tests/golden/$case.tnt" || exit 2
	case $case in vartrace/*) name=$name/dump ;; esac
	traces="$traces $tmp/$name"
done
perl "$top/tests/golden/run" --make-all "$tmp/cases" || exit 2
perl "$top/tests/golden/run" --make "$tmp/joined" "$top/tests/golden/ctf1/folders-join.tnt" || exit 2
perl "$top/tests/golden/run" --make "$tmp/kernel" "$top/tests/golden/print/kernel.tnt" || exit 2
mkdir "$tmp/room" && cd "$tmp/room" || exit 2
HOME=$tmp XDG_CACHE_HOME=$tmp/room/cache LC_ALL=C.UTF-8 TZ=UTC
ASAN_OPTIONS="$ASAN_OPTIONS${ASAN_OPTIONS:+:}allocator_may_return_null=1"
export HOME XDG_CACHE_HOME LC_ALL TZ ASAN_OPTIONS
# Folders that are joined: what went over to the other when memory is out is freed once. All calls, of opening only.
FAULTS_ONLY=open "$here/tests/faults/library" 1 "$tmp/joined" || exit 1
# Answers are defined in few calls: each of them.
for job in spans 'spans by tid' 'spans of conditions' groups 'lanes of a field' 'lanes of spans' slowest flame 'flame of fields' plot 'plot of fields' ladder cursor \
	'lanes of a field, step by step' 'lanes of spans, step by step' 'new file' spool grow pieces 'wrong TSDL' 'wrong CTF 2'; do
	FAULTS_ONLY=$job "$here/tests/faults/library" 1 || exit 1
done
# What a thread waited for, of a kernel; answers that are kept and read again; archives.
for job in chain 'kept answers' archive; do
	FAULTS_ONLY=$job "$here/tests/faults/library" "$step" "$tmp/kernel" || exit 1
done
# Words of paths have no blanks.
"$here/tests/faults/library" "$step" $traces || exit 1
[ "$FAULTS" ] && every=1 || every=16
"$here/tests/faults/library" -a $((step * 31)) $(ls -d "$tmp"/cases/* | awk "NR % $every == 0")
