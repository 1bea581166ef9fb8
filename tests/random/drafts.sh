#!/bin/sh
# drafts.sh - random drafts (drafts.c): each trace that was written is read back by tnav and by babeltrace2
#
#	SEED=, N=	other drafts, more of them; default 1 and 300
#
# Run in the build folder.
. "${srcdir:-.}/tests/lint/lib.sh"
tnav=${TNAV:-src/tnav}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1
export XDG_CACHE_HOME="$work/cache"

mkdir "$work/traces"
if tests/random/drafts "$work/traces" "${SEED:-1}" "${N:-300}" >"$work/list"; then ok; else
	bad "values that were written and those that were read differ:"
	grep -v '^[0-9]* [a-z0-9.]*$' "$work/list" | head -n 5
fi
# What 2.0 reads is CTF 1.8; of CTF 2 its lines are not the same, but it has to read them.
version=$(babeltrace2 --version 2>/dev/null | sed -n 's/^Babeltrace 2\.\([0-9]*\).*/\1/p')
if [ -z "$version" ]; then
	echo "drafts: babeltrace2 is not installed: what it reads is not compared"
fi
compared=0
while [ -n "$version" ] && read -r trace form; do
	case $form in
	1.8) ;;
	2) [ "$version" -ge 1 ] || continue ;;
	*) continue ;;
	esac
	if ! babeltrace2 "$work/traces/$trace" >"$work/theirs" 2>"$work/their.errors"; then
		# Integers of more than 64 bits, which CTF 2 has.
		tail -n 1 "$work/their.errors" | grep -q 'Integer [0-9]* is too large: expecting at most 64\.' && continue
		bad "trace $trace: babeltrace2 cannot read it: $(grep -m 1 ERROR "$work/their.errors")"
		continue
	fi
	compared=$((compared + 1))
	[ "$form" = 1.8 ] || continue
	"$tnav" --print "$work/traces/$trace" >"$work/ours" 2>"$work/errors"
	comparable "$work/ours" >"$work/ours.both"
	comparable "$work/theirs" >"$work/theirs.both"
	if cmp -s "$work/ours.both" "$work/theirs.both"; then ok; else
		bad "trace $trace: tnav (<) and babeltrace2 (>):"
		diff "$work/ours.both" "$work/theirs.both" | head -n 4
	fi
	# Losses: how many, of which stream class.
	for file in errors their.errors; do
		grep -a 'WARNING: Tracer discarded' "$work/$file" | sed 's/.*discarded \([0-9]*\) event.*/\1/' >"$work/$file.lost"
	done
	if cmp -s "$work/errors.lost" "$work/their.errors.lost"; then ok; else bad "trace $trace: losses differ"; fi
done <"$work/list"
[ -z "$version" ] || [ "$compared" -gt 0 ] && ok || bad "no trace was compared"
verdict drafts
