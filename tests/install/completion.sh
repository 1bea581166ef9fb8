#!/bin/sh
# completion.sh - what the shells offer for tnav: options, words, fields of the traces; where there is bash, fish
#
# Run in the build folder.
top=$(cd "${srcdir:-.}" && pwd)
. "$top/tests/lint/lib.sh"
tnav=$(pwd)/${TNAV:-src/tnav}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" XDG_CACHE_HOME="$work" XDG_CONFIG_HOME="$work" XDG_DATA_HOME="$work"
mkdir "$work/bin" && ln -s "$tnav" "$work/bin/tnav"
PATH=$work/bin:$PATH
perl "$top/scripts/completions" "$work" || exit 1

# in_bash WORD...: what it offers for the last one; words as the shell has cut them
in_bash() {
	bash -c '. "$0"; compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE=$*; COMP_POINT=${#COMP_LINE}
		_tnav; printf "%s\n" "${COMPREPLY[@]}"' "$work/tnav.bash" "$@"
}

# expect WHAT WANTED GOT
expect() {
	if [ "$2" = "$3" ]; then ok; else bad "$1: wanted $2, got $3"; fi
}

if command -v bash >/dev/null; then
	expect "bash: an option" "--stream-intersection" "$(in_bash tnav --stream)"
	expect "bash: a word" "never" "$(in_bash tnav --color = n)"
	expect "bash: a question" "block" "$(in_bash tnav --ask bl)"
	expect "bash: a field" "status" "$(in_bash tnav --demo -f stat | grep -x status)"
	expect "bash: in quotes" "status >= 400 and method" "$(in_bash tnav --demo -f "'status >= 400 and meth" | grep -x '.*method')"
	expect "bash: behind a sign" "event.fields.status" "$(in_bash tnav --demo --filter = event.fields.sta | grep -x 'event.fields.status')"
	expect "bash: of no trace" "" "$(in_bash tnav /nowhere -f stat)"
fi
if command -v fish >/dev/null; then
	in_fish() {
		fish -c 'source $argv[1]; complete -C "$argv[2]"' "$work/tnav.fish" "$1" | cut -f 1
	}
	expect "fish: an option" "--stream-intersection" "$(in_fish 'tnav --stream')"
	expect "fish: a word" "--color=never" "$(in_fish 'tnav --color=n')"
	expect "fish: a field" "status" "$(in_fish 'tnav --demo -f stat' | grep -x status)"
fi
ok
verdict completion
