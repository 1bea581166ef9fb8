#!/bin/sh
# full.sh - a disk that is full: whatever is written says so by its name, is there as a whole or not at all, leaves nothing
#
# From the N-th call that needs room on all fail, as on such a disk (tests/faults/faults.c), for N from 1 until all of it
# had room. What is stored for the next time without being asked for: tests/hostile/stores.sh.
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"
tnav=tests/faults/tnav-faults
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1
export XDG_CACHE_HOME="$work/cache" XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config" LC_ALL=C.UTF-8
tests/demo/write_demo "$work/demo" || exit 1
mkdir "$work/disk"
full='No space left on device'

# on_full NAME WORD OUTPUT HOP COMMAND...: WORD is what the message names; OUTPUT is what is there at the end, - for nothing
on_full() {
	name=$1 word=$2 output=$3 hop=$4 n=1 lacked=0
	shift 4
	while :; do
		rm -rf "$work/disk"
		mkdir "$work/disk"
		TNAV_FAULT=write:$n+ "$@" >"$work/out" 2>"$work/err"
		status=$?
		left=$(ls -A "$work/disk" | tr '\n' ' ')
		[ $status -eq 0 ] && break
		lacked=$((lacked + 1))
		if [ $status -eq 1 ] && grep -q -e "$word.*: $full" "$work/err" && [ -z "$left" ]; then ok; else
			bad "$name, room for $((n - 1)): exit status $status, there is '$left', said: $(cat "$work/err")"
		fi
		n=$((n + hop))
		[ $n -lt 200 ] || break
	done
	[ "$output" = - ] && output= || output="$output "
	[ $status -eq 0 ] && [ "$left" = "$output" ] && [ $lacked -gt 0 ] && ok ||
		bad "$name, with room: exit status $status, there is '$left', $lacked failed: $(cat "$work/err")"
}

some="--begin=07:00:01 --end=07:00:01.01"
on_full "text" "$work/disk/x" x 1 "$tnav" --print $some -w "$work/disk/x" "$work/demo"
on_full "CSV" "$work/disk/x.csv" x.csv 1 "$tnav" --print $some -w "$work/disk/x.csv" "$work/demo"
on_full "JSON" "$work/disk/x.jsonl" x.jsonl 1 "$tnav" --print $some -w "$work/disk/x.jsonl" "$work/demo"
on_full "a count" "$work/disk/x" x 1 "$tnav" --count $some -w "$work/disk/x" "$work/demo"
on_full "--export" "$work/disk/x" x 2 "$tnav" --export "$work/disk/x" "$work/demo"
grep -q 'define HAVE_LIBARCHIVE 1' config.h &&
	on_full "--compress" "$work/disk/x" x.tar.zst 2 "$tnav" --export "$work/disk/x" --compress $some "$work/demo"
on_full "--record" "--record: $work/disk/x" x 1 "$tnav" --record "$work/disk/x" --count -w /dev/null --force "$work/demo"
on_full "--demo" "$work/disk/tnav-demo" - 9 env TMPDIR="$work/disk" "$tnav" --demo --count -w /dev/null --force

# An archive that is unpacked, a session that is received: below the folder for what is stored, which stays.
(cd "$work" && tar cf t.tar demo)
mkdir "$work/cache" "$work/cache/tnav"
grep -q 'define HAVE_LIBARCHIVE 1' config.h && for n in 1 2 3 4; do
	TNAV_FAULT=write:$n+ "$tnav" --count -w /dev/null --force "$work/t.tar" 2>"$work/err"
	[ $? -eq 1 ] && grep -q "$work/cache/tnav.*: $full" "$work/err" && [ -z "$(ls -A "$work/cache/tnav")" ] && ok ||
		bad "an archive, room for $((n - 1)): $(cat "$work/err") $(ls -A "$work/cache/tnav")"
done
for n in 1 2 3 4; do
	mkfifo "$work/port$n"
	tests/load/relay 1000 1 1 100 >"$work/port$n" 2>/dev/null &
	relay=$!
	read -r port <"$work/port$n"
	TNAV_FAULT=write:$n+ "$tnav" --count -w /dev/null --force "net://127.0.0.1:$port/host/machine/load" 2>"$work/err"
	[ $? -eq 1 ] && grep -q "$work/cache/tnav.*: $full" "$work/err" && [ -z "$(ls -A "$work/cache/tnav")" ] && ok ||
		bad "a live session, room for $((n - 1)): $(cat "$work/err") $(ls -A "$work/cache/tnav")"
	kill $relay 2>/dev/null
	wait $relay 2>/dev/null
done

# The browser: a session that cannot be kept, said when it is left; a file, and nothing is left.
printf '%s\n' ':session one\r' "Vjj:w $work/disk/x\\r" >"$work/keys"
printf '%s\n' 'export GCOV_PREFIX=/dev/null GCOV_ERROR_FILE=/dev/null' 'ulimit -f 0' 'exec "$@"' >"$work/limit"
rm -rf "$work/disk"
mkdir "$work/disk"
TNAV_TEST_IDLE="$work/idle" BROWSE_STDERR=1 sh "$work/limit" tests/faults/browse "$work/keys" src/tnav --no-index-cache "$work/demo" \
	2>&1 | cat >"$work/out"
grep -q "^tnav: $work/state/tnav/sessions/.*-one: File too large" "$work/out" && grep -q '^exit 1$' "$work/out" && ok ||
	bad "a session of the browser: $(cat "$work/out")"
[ -z "$(ls -A "$work/disk")" ] && [ -z "$(find "$work/state" -type f)" ] && ok ||
	bad "the browser leaves $(ls -A "$work/disk") $(find "$work/state" -type f)"
verdict full
