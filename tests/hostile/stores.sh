#!/bin/sh
# stores.sh - whatever is where answers are stored, tnav answers the same, with the same words and exit status
#
# Indices, digests and answers are only a shortcut: nobody is told where they cannot be, and nothing half is left there.
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"
tnav=tests/golden/tnav-ways
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1
chmod 755 "$work"
# So that small traces are stored, too.
export TNAV_WAYS=store XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config"
unset GCOV_PREFIX
tests/demo/write_demo "$work/demo" || exit 1

# ask N: each learns or finds something else
ask() {
	case $1 in
	1) $as "$tnav" --count -f 'prio == 20' "$work/demo" ;;
	2) $as "$tnav" --spans 'shop:request_begin shop:request_end by request' --sort=duration --top=5 "$work/demo" ;;
	3) $as "$tnav" --spans 'shop:request_begin shop:request_end by request' --group-by name "$work/demo" ;;
	4) $as "$tnav" --lanes 'sched_switch.next_comm by cpu' "$work/demo" ;;
	esac
}

all() {
	for n in 1 2 3 4; do
		ask $n
		echo "exit $?"
	done 2>&1 | cat >"$1"
}

as=
XDG_CACHE_HOME="$work/none" TNAV_WAYS='' all "$work/want"
[ "$(grep -c 'exit 0' "$work/want")" -eq 4 ] && ok || bad "the questions: $(cat "$work/want")"

# as_ever WHAT: twice, what was learnt is found
as_ever() {
	for time in 1 2; do
		all "$work/got"
		cmp -s "$work/want" "$work/got" && ok || bad "$1, time $time: $(diff -a "$work/want" "$work/got" | head -n 5)"
	done
}

# there NAME: that is where it is stored
there() {
	export XDG_CACHE_HOME="$work/$1"
	mkdir -p "$XDG_CACHE_HOME"
}

there plain
as_ever "a folder"
[ "$(find "$work/plain/tnav" -name '*.answer' | wc -l)" -eq 3 ] && ok || bad "not three answers: $(ls "$work/plain/tnav")"

# In the way of the folder.
there file
echo mine >"$work/file/tnav"
as_ever "a file in place of the folder"
[ "$(cat "$work/file/tnav")" = mine ] && ok || bad "the file was written to"
there loop
ln -s tnav "$work/loop/tnav"
as_ever "a link to itself"
there dangling
ln -s "$work/nowhere" "$work/dangling/tnav"
as_ever "a link to nothing"
export XDG_CACHE_HOME=/proc/self/fd
as_ever "a folder in which nothing can be made"
export XDG_CACHE_HOME=/dev/null
as_ever "no folder at all"
there readonly
mkdir "$work/readonly/tnav"
chmod 555 "$work/readonly/tnav"
as_ever "a folder that cannot be written"
chmod 755 "$work/readonly/tnav"

# No room: a limit of the size of files is a disk that is full after so much.
for blocks in 0 1 8; do
	there full$blocks
	as="sh $work/limit"
	printf '%s\n' 'export GCOV_PREFIX=/dev/null GCOV_ERROR_FILE=/dev/null' "ulimit -f $blocks" 'exec "$@"' >"$work/limit"
	as_ever "files of $blocks blocks"
	as=
	[ -z "$(find "$work/full$blocks" -name '*.new')" ] && ok || bad "files of $blocks blocks leave $(ls "$work/full$blocks/tnav")"
	as_ever "behind files of $blocks blocks"
done

# In the place of each file.
for what in folder loop pipe empty large zeros; do
	rm -rf "$work/in"
	cp -r "$work/plain" "$work/in"
	there in
	for file in "$work/in/tnav/"*; do
		size=$(stat -c %s "$file")
		rm "$file"
		case $what in
		folder) mkdir "$file" ;;
		loop) ln -s "${file##*/}" "$file" ;;
		pipe) mkfifo "$file" ;;
		empty) : >"$file" ;;
		large) truncate -s 1G "$file" ;;
		zeros) truncate -s "$size" "$file" ;;
		esac
	done
	as_ever "in place of each file: $what"
done

# Somebody else's: root makes such ones.
if [ "$(id -u)" -eq 0 ]; then
	there others
	cp -r "$work/plain/tnav" "$work/others"
	chown -R 12345 "$work/others"
	as_ever "somebody else's files"
	as='perl -e $(=$)="65534\x2065534";$<=$>=65534;exec(@ARGV)'
	there plain
	as_ever "a folder of root's"
	as=
fi

# Six that learn and store at once, of nothing, of all, and of what others store at that moment.
for round in 1 2 3; do
	[ $round = 3 ] || rm -rf "$work/once"
	there once
	for k in 1 2 3 4 5 6; do
		all "$work/got.$k" &
	done
	wait
	for k in 1 2 3 4 5 6; do
		cmp -s "$work/want" "$work/got.$k" && ok || bad "$k at once: $(diff -a "$work/want" "$work/got.$k" | head -n 5)"
	done
	as_ever "behind six at once"
	[ -z "$(find "$work/once" -name '*.new')" ] && ok || bad "six at once leave $(ls "$work/once/tnav")"
	[ "$(find "$work/once/tnav" -name '*.answer' | wc -l)" -eq 3 ] && ok || bad "six at once have stored $(ls "$work/once/tnav")"
done

verdict stores
