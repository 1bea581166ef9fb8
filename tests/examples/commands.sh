#!/bin/sh
# commands.sh - every command with --demo in README, guide and manual page runs and prints something
#
# Run in the build folder.
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"
export TZ=UTC LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work" XDG_CONFIG_HOME="$work" XDG_STATE_HOME="$work"
mkdir "$work/bin"
ln -s "$(pwd)/src/tnav" "$work/bin/tnav"
PATH=$work/bin:$PATH
{
	sed -n 's/^    \(tnav .*--demo.*\)$/\1/p' "$top/README.md" "$top/doc/guide.md"
	sed -n 's/\\-/-/g; s/^tnav .*--demo.*$/&/p' "$top/doc/tnav.1"
} >"$work/commands"
while read -r command; do
	case $command in 'tnav --demo' | 'tnav --demo '[!-]*) command='tnav --demo --print' ;; esac
	if (cd "$work" && sh -c "$command" >"$work/out" 2>"$work/err" </dev/null) && [ -s "$work/out" ]; then ok; else
		bad "$command: $(head -n 2 "$work/err")"
	fi
done <"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 8 ] && ok || bad "only $(wc -l <"$work/commands") commands found"
verdict commands
