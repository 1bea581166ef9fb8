#!/bin/bash
# run.sh - archives: what is in them is what the folder has; those that lie, or lead outside, end in an error
tnav=$PWD/src/tnav
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
fail() { echo "not ok: $*"; exit 1; }
tests/demo/write_demo "$work/demo" || exit 99
"$tnav" --print "$work/demo" >"$work/want" 2>/dev/null
if ! grep -q 'define HAVE_LIBARCHIVE 1' config.h; then
	(cd "$work" && tar cf t.tar demo)
	"$tnav" --print "$work/t.tar" >"$work/out" 2>"$work/err" && fail "an archive, without libarchive"
	grep -q 't.tar: this tnav was built without libarchive: unpack or pack it with tar(1)' "$work/err" ||
		fail "without libarchive: $(cat "$work/err")"
	"$tnav" --export "$work/x" --compress "$work/demo" >"$work/out" 2>"$work/err" && fail "--compress, without libarchive"
	grep -q 'x.*: this tnav was built without libarchive' "$work/err" || fail "--compress: $(cat "$work/err")"
	ls "$work" | grep -q '^x' && fail "--compress without libarchive left something"
	"$tnav" --version | grep -q 'no libarchive' || fail "--version says nothing of libarchive"
	echo "ok: without libarchive"
	exit 0
fi
"$tnav" --export "$work/x" --compress "$work/demo" || fail "--compress"
[ -f "$work/x.tar.zst" ] || fail "no archive"
[ -e "$work/x" ] && fail "--compress left a folder"
ls "$work" | grep -q tnav- && fail "--compress left something"
"$tnav" --print "$work/x.tar.zst" 2>/dev/null | cmp - "$work/want" || fail "what --compress wrote reads otherwise"
"$tnav" --export "$work/x.tar.zst" --compress "$work/demo" 2>/dev/null && fail "an archive was written over"
"$tnav" --compress "$work/demo" >/dev/null 2>&1 && fail "--compress without --export"
# A full disk: nothing is left, and the message names the archive.
mkdir "$work/full"
(ulimit -f 70; exec "$tnav" --export "$work/full/y" --compress "$work/demo") 2>"$work/said" && fail "an archive larger than may be"
grep -q "$work/full/y" "$work/said" || fail "a full disk: $(cat "$work/said")"
[ -z "$(ls -A "$work/full")" ] || fail "a full disk left $(ls -A "$work/full")"

(cd "$work" && tar cf t.tar demo && gzip -k t.tar && xz -k t.tar)
for archive in t.tar t.tar.gz t.tar.xz; do
	for again in 1 2; do
		"$tnav" --print "$work/$archive" 2>/dev/null | cmp - "$work/want" || fail "$archive, time $again"
	done
done
python3 -c 'import shutil, sys; shutil.make_archive(sys.argv[1], "zip", sys.argv[2], "demo")' "$work/t" "$work" 2>/dev/null &&
	{ "$tnav" --print "$work/t.zip" 2>/dev/null | cmp - "$work/want" || fail "t.zip"; }
unpacked() { ls "$work/cache/tnav" | grep -c '^archive-'; }
before=$(unpacked)
"$tnav" --count "$work/t.tar" >/dev/null
[ "$(unpacked)" = "$before" ] || fail "unpacked twice"
touch -d '2001-01-01' "$work/t.tar"
"$tnav" --count "$work/t.tar" >/dev/null
[ "$(unpacked)" = $((before + 1)) ] || fail "another file of that name was taken for the one before"

# refuse NAME WORDS: an error that has the words, and nothing in the cache
refuse() {
	local before; before=$(ls -A "$work/cache/tnav")
	"$tnav" --count "$work/$1" >"$work/out" 2>"$work/err" && fail "$1 was opened"
	grep -q "$2" "$work/err" || fail "$1: $(cat "$work/err")"
	[ "$(ls -A "$work/cache/tnav")" = "$before" ] || fail "$1 left something in the cache"
}
# A file that may not grow is an error, of what is unpacked and of the sample: nothing is left.
touch -d '2002-02-02' "$work/t.tar.gz"
before=$(ls -A "$work/cache/tnav")
(export GCOV_PREFIX=/dev/null GCOV_ERROR_FILE=/dev/null; ulimit -f 8; exec "$tnav" --count "$work/t.tar.gz") >"$work/out" 2>"$work/err"
[ $? = 1 ] && [ -s "$work/err" ] && [ "$(ls -A "$work/cache/tnav")" = "$before" ] || fail "unpacked on a full disk: $(cat "$work/err")"
mkdir "$work/tmp"
(export GCOV_PREFIX=/dev/null GCOV_ERROR_FILE=/dev/null TMPDIR=$work/tmp; ulimit -f 8; exec "$tnav" --demo --count) >"$work/out" 2>"$work/err"
[ $? = 1 ] && [ -s "$work/err" ] && [ -z "$(ls -A "$work/tmp")" ] || fail "the sample on a full disk: $(cat "$work/err")"
head -c 3000 "$work/t.tar.gz" >"$work/cut.tar.gz"
refuse cut.tar.gz 'cannot be read to its end'
# One file that is cut shows what is there, to the last event, each time with the reason.
{
	echo '['
	i=0
	while [ $i -lt 3000 ]; do echo "{\"ph\":\"i\",\"ts\":$i,\"pid\":1,\"tid\":1,\"name\":\"e$((i * i % 977))\"},"; i=$((i + 1)); done
} >"$work/long.json"
for how in gz xz; do
	case $how in gz) gzip -c "$work/long.json" ;; *) xz -c "$work/long.json" ;; esac >"$work/whole.$how"
	head -c $(($(wc -c <"$work/whole.$how") - 900)) "$work/whole.$how" >"$work/cut.json.$how"
	for again in 1 2; do
		"$tnav" --print "$work/cut.json.$how" >"$work/out" 2>"$work/err" && [ $how = gz ] && fail "cut.json.$how: no damage"
		grep -q "cut.json.$how: the archive cannot be read to its end: " "$work/err" || fail "cut.json.$how: $(cat "$work/err")"
	done
done
"$tnav" --print "$work/cut.json.gz" >"$work/out" 2>/dev/null
n=$(gzip -dc "$work/cut.json.gz" 2>/dev/null | grep -c '}')
[ "$n" -gt 1000 ] && [ "$(wc -l <"$work/out")" = "$n" ] || fail "cut.json.gz: $(wc -l <"$work/out") events of $n"
gzip -c "$work/demo/metadata" >"$work/metadata.gz"
refuse metadata.gz 'one file of a trace, compressed: unpack it'
(cd "$work/demo" && tar cPf ../up.tar ../demo/metadata 2>/dev/null)
refuse up.tar 'is outside of the archive'
tar cPf "$work/root.tar" "$work/demo/metadata" 2>/dev/null
refuse root.tar 'is outside of the archive'
mkdir "$work/empty"; (cd "$work" && tar cf empty.tar empty)
"$tnav" --count "$work/empty.tar" 2>&1 | grep -q 'no trace in this archive' || fail "an archive without a trace"
# One file, compressed: a trace by its name.
srcdir=${srcdir:-.}
for one in tracedat/every-kind:t.dat perfdata/every-kind:p.data chromejson/object:t.json; do
	"$srcdir/tests/golden/run" --make "$work/one" "$srcdir/tests/golden/${one%:*}.tnt" >/dev/null || fail "${one%:*} cannot be made"
	"$tnav" --print "$work/one/${one#*:}" >"$work/plain" 2>/dev/null
	[ -s "$work/plain" ] || fail "${one#*:} has no events"
	gzip "$work/one/${one#*:}"
	"$tnav" --print "$work/one/${one#*:}.gz" 2>/dev/null | cmp - "$work/plain" || fail "${one#*:}.gz reads otherwise"
	"$tnav" --print "$work/one/${one#*:}.gz" "$work/one/${one#*:}.gz" 2>"$work/err" | cmp - "$work/plain" || fail "${one#*:}.gz twice"
	grep -q 'no trace in this archive' "$work/err" && fail "${one#*:}.gz twice: $(cat "$work/err")"
	grep -q 'is not opened' "$work/err" && fail "${one#*:}.gz: $(cat "$work/err")"
	rm -r "$work/one"
done
# A second name of a file is that file; a link that is outside of the archive is refused.
(cd "$work" && cp -rl demo twin && tar cf twin.tar demo twin && tar cPf out.tar --transform 's,^demo,../demo,RSh' demo twin)
XDG_CACHE_HOME=$work/twins "$tnav" --print "$work/twin.tar" >/dev/null 2>"$work/err" || fail "twin.tar: $(cat "$work/err")"
for one in demo twin; do
	cmp "$work"/twins/tnav/archive-*/$one/metadata "$work/demo/metadata" || fail "twin.tar: $one is another file"
done
refuse out.tar 'is outside of the archive: ../demo'
# A link out of the archive is not a part of a trace; a member after the link is not written through it.
mkdir "$work/l" "$work/l2"; ln -s "$work/target" "$work/l/demo"; mkdir "$work/target"
tar cf "$work/link.tar" -C "$work/l" demo; tar rf "$work/link.tar" -C "$work" demo/metadata
"$tnav" --count "$work/link.tar" >/dev/null 2>&1
[ -z "$(ls -A "$work/target")" ] || fail "written through a link"
# Interrupted while it is unpacked (or just before or behind that): nothing half is left.
head -c 60000000 /dev/zero >"$work/demo/zeros"
(cd "$work" && tar cf - demo | gzip -1 >slow.tar.gz)
rm "$work/demo/zeros"
"$tnav" --count "$work/slow.tar.gz" >/dev/null 2>&1 & pid=$!
for ((i = 0; i < 1000; i++)); do
	ls "$work/cache/tnav" | grep -q '^unpacking-' && break
	kill -0 $pid 2>/dev/null || break
done
kill -INT $pid; wait $pid; status=$?
[ $status = 130 ] || [ $status = 0 ] || fail "interrupted: $status"
ls "$work/cache/tnav" | grep '^unpacking-' && fail "interrupted: something half is left"
# Where libarchive is not installed, folders open as ever, and an archive says what is needed.
mkdir "$work/none"
echo none >"$work/none/$(sed -n 's/^#define LIBARCHIVE_SONAME "\(.*\)"$/\1/p' config.h)"
LD_LIBRARY_PATH=$work/none "$tnav" --print "$work/demo" 2>/dev/null | cmp - "$work/want" || fail "a folder without libarchive"
touch "$work/t.tar.gz"
export LD_LIBRARY_PATH=$work/none
refuse t.tar.gz 'which is not installed'
"$tnav" --export "$work/z" --compress "$work/demo" 2>"$work/err" && fail "--compress without libarchive"
grep -q 'which is not installed' "$work/err" || fail "--compress without libarchive: $(cat "$work/err")"
ls "$work" | grep -q '^z' && fail "--compress without libarchive left something"
# One that is there, but has none of what is called.
echo 'int nothing;' >"$work/none.c"
${CC:-cc} -shared -fPIC -o "$work/none/$(sed -n 's/^#define LIBARCHIVE_SONAME "\(.*\)"$/\1/p' config.h)" "$work/none.c" ||
	fail "no library was made"
refuse t.tar.gz 'has no archive_[a-z_]*(): install a newer version to read or write archives'
unset LD_LIBRARY_PATH
echo ok
