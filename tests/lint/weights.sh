#!/bin/sh
# weights.sh - each line of the table in tnav-check(7) has the right weight: its comment names a golden case and the message
# of tnav --check
#
# Run in the build folder.
top=$(cd "${srcdir:-.}" && pwd)
. "$top/tests/lint/lib.sh"
tnav=${TNAV:-src/tnav}
made=$(mktemp -d) && trap 'rm -rf "$made"' EXIT || exit 1
XDG_CACHE_HOME=$made LC_ALL=C.UTF-8 TZ=UTC
export XDG_CACHE_HOME LC_ALL TZ
tab=$(printf '\t')

# Once a case: what --check says, with its exit status and that of --print.
ask() {
	trace=$made/$(echo "$1" | tr / -)
	said=$trace.said
	[ -e "$said" ] && return
	perl "$top/tests/golden/run" --make "$trace" "$top/tests/golden/$1.tnt" || exit 1
	[ -e "$trace/dump" ] && trace=$trace/dump	# of vartrace
	"$tnav" --check "$trace" 2>"$said" >/dev/null
	status=$?
	"$tnav" --print "$trace" >/dev/null 2>&1
	echo "status $status $?" >>"$said"
}

# The word before what is said; that of damage is none.
words() {
	sed -n '/^tnav: /{s/^tnav: \(note\|warning\|wrong\): .*/\1/;s/^tnav: .*/(none)/;p;}'
}

sed -n '/\\fBwhat was found\\fR$/,/^\.TE/p' "$top/doc/tnav-check.7" | sed -n '/^\.\\"/{s/^....//;N;p;}' >"$made/lines"
while IFS= read -r line && IFS="$tab" read -r word what; do
	case=${line%%: *} text=${line#*: }
	ask "$case"
	is=$(grep -F -- "$text" "$said" | words | head -n 1)
	[ "$is" = "$word" ] && ok || bad "doc/tnav-check.7: $what: stands as $word, tnav says '$is' of $case"
	# The worst that is said decides how --check ends; without it, only damage does.
	case " $(words <"$said" | tr '\n' ' ')" in
	*'(none)'*) ends='1 1' ;;
	*wrong*) ends='1 0' ;;
	*) ends='0 0' ;;
	esac
	grep -qx "status $ends" "$said" && ok || bad "$case: $(tail -n 1 "$said"), not $ends"
done <"$made/lines"
[ "$passed" -ge 100 ] || bad "doc/tnav-check.7: the table of weights was not found"
verdict weights
