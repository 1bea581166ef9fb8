#!/bin/sh
# run.sh - tnav --export: what is written reads as what was asked for, or nothing is there
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"
tnav=${TNAV:-src/tnav}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1
export XDG_CACHE_HOME="$work/cache"
if command -v babeltrace2 >/dev/null; then bt2=1; else
	bt2=
	echo "export: babeltrace2 is not installed: what it reads is not compared"
fi

same() {
	if cmp -s "$2" "$3"; then ok; else
		bad "$1:"
		diff "$2" "$3" | head -n 5
	fi
}

# losses FILE: the warnings, without the paths of the traces
losses() {
	grep -a '^.*WARNING: Tracer discarded' "$1" | sed 's/ in trace .*//' | LC_ALL=C sort
}

# through NAME TRACE [OPTION...]: the export of what the options leave prints as they leave it
through() {
	name=$1 trace=$2
	shift 2
	rm -rf "$work/out"
	"$tnav" --export "$work/out" --no-delta "$@" "$trace" >"$work/export.out" 2>"$work/export.err"
	status=$?
	"$tnav" --print --no-delta "$@" "$trace" >"$work/want" 2>"$work/want.err"
	[ $status -eq $? ] && ok || bad "$name: --export exits with $status: $(head -n 1 "$work/export.err")"
	[ -s "$work/export.out" ] && bad "$name: --export prints something" || ok
	"$tnav" --print --no-delta "$work/out" >"$work/got" 2>"$work/got.err" && ok ||
		bad "$name: cannot be read back: $(head -n 1 "$work/got.err")"
	same "$name: other lines" "$work/want" "$work/got"
	losses "$work/want.err" >"$work/want.lost"
	losses "$work/got.err" >"$work/got.lost"
	same "$name: other losses" "$work/want.lost" "$work/got.lost"
	"$tnav" --print --no-delta --no-index-files --no-index-cache "$work/out" >"$work/plain" 2>"$work/plain.err"
	same "$name: other lines without index files" "$work/want" "$work/plain"
	same "$name: other losses without index files" "$work/got.err" "$work/plain.err"
	"$tnav" --check "$work/out" >"$work/check" 2>&1 && ok || bad "$name: --check says $(cat "$work/check")"
	[ -n "$bt2" ] || return
	babeltrace2 --no-delta "$work/out" >"$work/bt2" 2>"$work/bt2.err" && ok ||
		bad "$name: babeltrace2 cannot read it: $(head -n 3 "$work/bt2.err")"
	comparable "$work/want" >"$work/want.both"
	comparable "$work/bt2" >"$work/bt2.both"
	same "$name: babeltrace2's lines" "$work/want.both" "$work/bt2.both"
}

tests/demo/write_demo "$work/demo" || exit 1

# All of a trace is the trace.
through "all" "$work/demo"
for file in metadata database_0 kernel_0 kernel_1 shop_0 warehouse_0; do
	same "all: $file" "$work/demo/$file" "$work/out/$file"
done
[ "$(find "$work/out/index" -name '*.idx' | wc -l)" -eq 5 ] && ok || bad "all: not five index files"
[ -z "$(find "$work" -name '.tnav*')" ] && ok || bad "something of the making is left"

through "regular expression" "$work/demo" -f 'kernel|irq'
through "few events" "$work/demo" -f '7\b.*3'
through "no event" "$work/demo" -f 'there is no such line'
[ "$(find "$work/out" -name '*_*' ! -name '*.idx' | wc -l)" -eq 5 ] && ok || bad "no event: not five streams"
through "not" "$work/demo" -f '!e'
through "window" "$work/demo" --begin 30% --end 60%
through "half" "$work/demo" --begin 50%
through "window and filter" "$work/demo" --begin 30% --end 60% -f '[02468]\b'
"$tnav" --export "$work/one" --threads=1 -f '[02468]\b' "$work/demo" 2>/dev/null
"$tnav" --export "$work/five" --threads=5 -f '[02468]\b' "$work/demo" 2>/dev/null
diff -r "$work/one" "$work/five" >/dev/null && ok || bad "threads make a difference"

# Several traces get folders of their own.
"$tnav" --print "$work/demo" "$work/one" >"$work/want" 2>/dev/null
"$tnav" --export "$work/two" "$work/demo" "$work/one" 2>/dev/null
"$tnav" --print "$work/two" >"$work/got" 2>/dev/null
same "two traces" "$work/want" "$work/got"

# The UUID stays, also of what is written anew (CTF 2); two that have one in common would be taken for one.
uuid() {
	"$tnav" --info "$1" 2>/dev/null | grep '^  UUID:'
}
perl "$top/tests/golden/run" --make "$work/uuid" "$top/tests/golden/ctf2/same-as-ctf1.tnt"
for trace in one two; do
	"$tnav" --export "$work/uuid.$trace" "$work/uuid/$trace" 2>"$work/err" && [ -n "$(uuid "$work/uuid/$trace")" ] &&
		[ "$(uuid "$work/uuid.$trace")" = "$(uuid "$work/uuid/$trace")" ] && ok ||
		bad "UUID of $trace: $(uuid "$work/uuid.$trace") $(cat "$work/err")"
done
"$tnav" --export "$work/uuid.both" "$work/uuid" 2>"$work/err" && [ "$(uuid "$work/uuid.both/one")" = "$(uuid "$work/uuid/one")" ] &&
	[ -z "$(uuid "$work/uuid.both/two")" ] && ok || bad "a UUID of two traces: $(cat "$work/err")"

# Nothing is written over.
mkdir "$work/there"
"$tnav" --export "$work/there" "$work/demo" 2>"$work/err"
[ $? -eq 1 ] && grep -q 'already exists' "$work/err" && rmdir "$work/there" && ok ||
	bad "an existing folder: $(cat "$work/err")"
"$tnav" --export "$work/no/such/place" "$work/demo" 2>"$work/err"
[ $? -eq 1 ] && ok || bad "a folder in no folder: $(cat "$work/err")"

# A full disk, which a limit of the size of files is here.
mkdir "$work/full"
(export GCOV_PREFIX=/dev/null GCOV_ERROR_FILE=/dev/null; ulimit -f 8; exec "$tnav" --export "$work/full/x" "$work/demo" 2>"$work/err")
[ $? -eq 1 ] && grep -q 'was not written' "$work/err" && ok || bad "a full disk: $(cat "$work/err")"
grep -q "^tnav: $work/full/x/[a-z0-9_/.]*: File too large" "$work/err" && ok ||
	bad "a full disk: the message does not name the output: $(cat "$work/err")"
[ -z "$(ls -A "$work/full")" ] && ok || bad "a full disk leaves something: $(ls -A "$work/full")"

# What a kill left beside the output is taken away: when it is old, and nobody holds it.
mkdir "$work/kills" "$work/kills/.tnav-unfinished-old001" "$work/kills/.tnav-unfinished-new001" \
	"$work/kills/.tnav-unfinished-held01"
echo x >"$work/kills/.tnav-unfinished-old001/trace"
echo x >"$work/kills/.tnav-unfinished-old002"
touch -d '2 hours ago' "$work/kills/.tnav-unfinished-"[oh]*
perl -e 'use Fcntl ":flock"; open my $d, "<", shift or die; flock $d, LOCK_EX or die; system(@ARGV) == 0 or die' \
	"$work/kills/.tnav-unfinished-held01" "$tnav" --export "$work/kills/x" "$work/demo" 2>"$work/err" && ok ||
	bad "beside drafts: $(cat "$work/err")"
[ "$(ls -A "$work/kills" | tr '\n' ' ')" = ".tnav-unfinished-held01 .tnav-unfinished-new001 x " ] && ok ||
	bad "what kills left: $(ls -A "$work/kills")"

# -w: the file is there when all of it is, and not before.
mkdir "$work/whole"
(export GCOV_PREFIX=/dev/null GCOV_ERROR_FILE=/dev/null; ulimit -f 8; exec "$tnav" --print -w "$work/whole/x" "$work/demo" 2>"$work/err")
[ $? -eq 1 ] && grep -q "$work/whole/x: File too large" "$work/err" && ok || bad "-w, a full disk: $(cat "$work/err")"
[ -z "$(ls -A "$work/whole")" ] && ok || bad "-w, a full disk leaves $(ls -A "$work/whole")"
for what in --help --help=all --version; do
	"$tnav" $what >/dev/full 2>"$work/err"
	[ $? -eq 1 ] && grep -q '^tnav: .*: No space left on device' "$work/err" && ok || bad "$what, a full disk: $(cat "$work/err")"
done
(umask 027; exec "$tnav" --print -w "$work/whole/x" "$work/demo" 2>/dev/null)
"$tnav" --print "$work/demo" >"$work/want" 2>/dev/null
same "-w" "$work/want" "$work/whole/x"
[ "$(stat -c %a "$work/whole/x")" = 640 ] && ok || bad "-w: rights $(stat -c %a "$work/whole/x")"
"$tnav" --print -w "$work/whole/x" "$work/demo" 2>"$work/err"
[ $? -eq 1 ] && grep -q 'already exists' "$work/err" && ok || bad "-w over a file: $(cat "$work/err")"
chmod 604 "$work/whole/x"
ln -s x "$work/whole/link"
"$tnav" --print -w "$work/whole/link" --force -f REQUEST "$work/demo" 2>"$work/err" && [ -h "$work/whole/link" ] &&
	[ "$(stat -c %a "$work/whole/x")" = 604 ] && ok || bad "--force through a link: $(cat "$work/err")"
same "--force" /dev/null "$work/whole/x"
"$tnav" --print -w /dev/null --force "$work/demo" 2>"$work/err" && [ -c /dev/null ] && ok || bad "-w /dev/null"
"$tnav" --count -w /dev/fd/1 --force "$work/demo" 2>"$work/err" | cat >"$work/got"
[ "$(cat "$work/got")" = 6016 ] && ok || bad "-w, a pipe without a name: $(cat "$work/err")"
[ "$(ls -A "$work/whole" | tr '\n' ' ')" = "link x " ] && ok || bad "-w leaves $(ls -A "$work/whole")"
(
	mkfifo "$work/fifo"
	exec 3<>"$work/fifo"
	# It waits where it tells of lost events: standard error is full.
	perl -MIO::Handle -e 'open my $f, "+<", shift or die; $f->blocking(0); 1 while syswrite $f, "." x 4096; 1 while syswrite $f, "."' \
		"$work/fifo"
	"$tnav" --print -w "$work/whole/cut" "$work/demo" 2>"$work/fifo" &
	pid=$!
	i=0
	while [ $i -lt 600 ] && [ -z "$(find "$work/whole" -name '.tnav-*')" ] && kill -0 $pid 2>/dev/null; do
		perl -e 'select undef, undef, undef, 0.01'
		i=$((i + 1))
	done
	[ $i -lt 600 ] && kill -TERM $pid && wait $pid
	[ $? -eq 143 ]
) 2>/dev/null && ok || bad "-w is not terminated while it writes"
[ "$(ls -A "$work/whole" | tr '\n' ' ')" = "link x " ] && ok || bad "-w, terminated, leaves $(ls -A "$work/whole")"

# The sample trace leaves nothing; what a kill left of it goes.
mkdir "$work/tmp" "$work/tmp/tnav-demo-abcdef"
touch -d '2 hours ago' "$work/tmp/tnav-demo-abcdef"
TMPDIR="$work/tmp" "$tnav" --demo --count >/dev/null 2>&1
[ -z "$(ls -A "$work/tmp")" ] && ok || bad "--demo leaves $(ls -A "$work/tmp")"

# Damage is told and left out, all else goes over.
cp -R "$work/demo" "$work/damaged"
printf 'no packet' >>"$work/damaged/kernel_1"
"$tnav" --export "$work/sound" "$work/damaged" 2>"$work/err"
[ $? -eq 1 ] && grep -q 'kernel_1: .*the last 9 bytes' "$work/err" && ok || bad "damage: $(cat "$work/err")"
"$tnav" --print "$work/demo" >"$work/want" 2>/dev/null
"$tnav" --print "$work/sound" >"$work/got" 2>/dev/null && ok || bad "damage goes over"
same "damage" "$work/want" "$work/got"

# An interrupt, while standard error takes no more of what is told at the end: it cannot come too late.
for signal in INT TERM; do
	perl -MIO::Handle -e '
		my ($signal, $dir, @command) = @ARGV;
		pipe my $out, my $in;
		$in->blocking(0);
		1 while syswrite $in, "." x 4096;
		1 while syswrite $in, ".";
		$in->blocking(1);
		my $pid = fork;
		if (!$pid) {
			open STDERR, ">&", $in;
			$SIG{$signal} = "DEFAULT";	# what runs in the background may have it ignored
			exec @command;
		}
		close $in;
		my $draft;	# if it is killed for good, its name says what it is
		for (1 .. 600) {
			($draft) = glob "$dir/.tnav-unfinished-*" and last;
			select undef, undef, undef, 0.05;
		}
		select undef, undef, undef, 0.05;
		kill $signal, $pid;
		my $said = join "", <$out>;
		waitpid $pid, 0;
		$said =~ s/^\.*//;
		print $draft ? "" : "no draft; ", "status ", $? >> 8, "; $said";
	' $signal "$work/full" "$tnav" --export "$work/full/x" "$work/damaged" >"$work/said"
	case $signal in INT) status=130 ;; *) status=143 ;; esac
	grep -q "^status $status; " "$work/said" && grep -q 'interrupted; nothing was written' "$work/said" &&
		[ -z "$(ls -A "$work/full")" ] && ok || bad "$signal: $(cat "$work/said") $(ls -A "$work/full")"
done

# A field that says how long another is goes on to say so: no length is made beside it.
perl "$top/tests/golden/run" --make "$work/arrays" "$top/tests/golden/ctf2/arrays.tnt" &&
	"$tnav" --export "$work/translated" "$work/arrays" && grep -q '_b\[_n\]' "$work/translated/metadata" &&
	grep -q '_x\[_k\]' "$work/translated/metadata" && ok || bad "lengths: $(grep '\[' "$work/translated/metadata")"

# Labels that have just the values of the options select them: of `t` but not of `u`, where another label has some, nor of `w`,
# where none has all.
cat >"$work/labels.tnt" <<'END'
%% fragments
{"type":"preamble","version":2}
{"type":"field-class-alias","name":"u8","field-class":{"type":"fixed-length-unsigned-integer","length":8,"byte-order":"little-endian"}}
{"type":"data-stream-class"}
{"type":"event-record-class","name":"e","payload-field-class":{"type":"structure","member-classes":[
 {"name":"t","field-class":{"type":"fixed-length-unsigned-integer","length":8,"byte-order":"little-endian","mappings":{"A":[[0,0]],"B":[[1,1],[4,5]],"C":[[2,2]]}}},
 {"name":"u","field-class":{"type":"fixed-length-unsigned-integer","length":8,"byte-order":"little-endian","mappings":{"A":[[0,3]],"B":[[2,2]],"C":[[9,9]]}}},
 {"name":"w","field-class":{"type":"fixed-length-unsigned-integer","length":8,"byte-order":"little-endian","mappings":{"A":[[0,3]],"B":[[5,5]]}}},
 {"name":"by_t","field-class":{"type":"variant","selector-field-location":{"path":["t"]},"options":[
  {"name":"x","selector-field-ranges":[[0,0]],"field-class":"u8"},{"name":"y","selector-field-ranges":[[1,1],[4,5]],"field-class":"u8"}]}},
 {"name":"by_u","field-class":{"type":"variant","selector-field-location":{"path":["u"]},"options":[
  {"name":"x","selector-field-ranges":[[0,3]],"field-class":"u8"},{"name":"y","selector-field-ranges":[[9,9]],"field-class":"u8"}]}},
 {"name":"by_w","field-class":{"type":"variant","selector-field-location":{"path":["w"]},"options":[
  {"name":"x","selector-field-ranges":[[0,2]],"field-class":"u8"},{"name":"y","selector-field-ranges":[[5,5]],"field-class":"u8"}]}}]}}
%% stream s0
00 03 02 | 07 08 09
05 09 05 | 01 02 03
END
perl "$top/tests/golden/run" --make "$work/labels" "$work/labels.tnt" && rm -rf "$work/translated" &&
	"$tnav" --export "$work/translated" "$work/labels" && ok || bad "labels: not exported"
said=$(grep -o 'variant <[a-z_]*>' "$work/translated/metadata" | tr '\n' ' ')
[ "$said" = 'variant <_t> variant <__by_u_tag> variant <__by_w_tag> ' ] && ok || bad "labels: $said"

# Two traces of one name each get one, in an archive, too, whose name ends with slashes; damage among the lines that are chosen.
mkdir -p "$work/left" "$work/right"
cp -R "$work/arrays" "$work/left/t"
cp -R "$work/arrays" "$work/right/t"
"$tnav" --export "$work/both" "$work/left/t//" "$work/right/t/" && [ "$(ls "$work/both" | tr '\n' ' ')" = "t t-1 " ] && ok ||
	bad "traces of one name: $(ls "$work/both")"
compress=--compress both=$work/both.tar.zst
# Without libarchive a folder gets the traces: its name must not say that it is an archive.
"$tnav" --version | grep -q 'no libarchive' && compress='' both=$work/both.folder
"$tnav" --export "$both//" $compress "$work/left/t/" "$work/right/t" && "$tnav" --print "$work/both" >"$work/want" &&
	"$tnav" --print "$both" >"$work/got" && ok || bad "an archive of two traces of one name"
same "an archive of two traces of one name" "$work/want" "$work/got"
if [ "$compress" ]; then	# the name alone says it
	"$tnav" --export "$work/named.tar.zst" "$work/left/t" && [ -f "$work/named.tar.zst" ] &&
		"$tnav" --print "$work/named.tar.zst" >"$work/got" && "$tnav" --print "$work/left/t" | cmp -s - "$work/got" && ok ||
		bad "a name that ends in .tar.zst"
fi
for name in x.tar.gz x.zip/; do
	"$tnav" --export "$work/$name" "$work/left/t" 2>"$work/err"
	[ $? -eq 2 ] && grep -q "${name%/}.*: the name of a written archive must end in .tar.zst" "$work/err" && [ ! -e "$work/${name%/}" ] && ok || bad "$name: $(cat "$work/err")"
done
"$tnav" --export "$work/chosen" -f 'sys' "$work/damaged" 2>"$work/err"
[ $? -eq 1 ] && grep -q 'kernel_1: .*the last 9 bytes' "$work/err" && "$tnav" --print "$work/chosen" >"$work/got" && ok ||
	bad "damage among chosen lines: $(cat "$work/err")"
"$tnav" --print -f 'sys' "$work/demo" >"$work/want" 2>/dev/null
sed 's/ (+[?0-9.]*) / /' "$work/want" >"$work/want.lines"
sed 's/ (+[?0-9.]*) / /' "$work/got" >"$work/got.lines"
same "damage among chosen lines" "$work/want.lines" "$work/got.lines"
verdict export
