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
	same "$name: babeltrace2's lines" "$work/want" "$work/bt2"
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

# Nothing is written over.
mkdir "$work/there"
"$tnav" --export "$work/there" "$work/demo" 2>"$work/err"
[ $? -eq 1 ] && grep -q 'exists already' "$work/err" && rmdir "$work/there" && ok ||
	bad "an existing folder: $(cat "$work/err")"
"$tnav" --export "$work/no/such/place" "$work/demo" 2>"$work/err"
[ $? -eq 1 ] && ok || bad "a folder in no folder: $(cat "$work/err")"

# A full disk, which a limit of the size of files is here.
mkdir "$work/full"
(ulimit -f 8; exec "$tnav" --export "$work/full/x" "$work/demo" 2>"$work/err")
[ $? -eq 1 ] && grep -q 'was not written' "$work/err" && ok || bad "a full disk: $(cat "$work/err")"
[ -z "$(ls -A "$work/full")" ] && ok || bad "a full disk leaves something: $(ls -A "$work/full")"

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
verdict export
