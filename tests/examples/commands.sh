#!/bin/sh
# commands.sh - every command with --demo in README, guide and manual pages runs and prints something
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
	sed -n "s/\\\\-/-/g; s/\\\\(aq/'/g; s/\\\\(dq/\"/g; s/^    \(tnav .*--demo.*\)\$/\1/p" "$top"/doc/tnav*.[17]
	# Those of any trace, of the sample.
	sed -n "s:^    \(tnav .*\)TRACE\.\.\.  *.*\$:\1$work/shop:p; s:^    \(tnav .*\)TRACE\.\.\.\$:\1$work/shop:p" "$top/README.md" |
		grep -v '^tnav /' | sed 's/$/ \&\& echo/'
} >"$work/commands"
tnav --demo --export="$work/shop"
: >"$work/all"
while read -r command; do
	case $command in 'tnav --demo' | 'tnav --demo '[!-]*) command='tnav --demo --print' ;; esac
	rm -rf "$work/try" && mkdir "$work/try"
	if (cd "$work/try" && sh -c "$command" >"$work/out" 2>"$work/err" </dev/null) && [ -s "$work/out" ]; then ok; else
		bad "$command: $(head -n 2 "$work/err")"
	fi
	cat "$work/out" >>"$work/all"
done <"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 38 ] && ok || bad "only $(wc -l <"$work/commands") commands found"
# The commands print the guide's examples, or the browser shows them (tests/screen/guide.keys). The README has pictures
# (tests/screen/readme.keys).
for file in doc/guide.md; do
	sed -n '/^```$/,/^```$/p' "$top/$file" | grep -v '^```$' >"$work/shown"
	[ -s "$work/shown" ] && ok || bad "$file shows nothing"
	while IFS= read -r line; do
		if grep -qxF -e "$line" "$work/all" "$top/tests/screen/guide.screen"; then ok; else
			bad "$file shows what is not so (UPDATE=1 tests/screen/run guide, then take it from there): $line"
			grep -F -e "${line%% *}" "$work/all" | head -n 5 | sed 's/^/  printed: /'
		fi
	done <"$work/shown"
done
verdict commands
