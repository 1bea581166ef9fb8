#!/bin/sh
# messages.sh - every file with messages for users is in po/POTFILES.in, and the catalogues are whole
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"

listed=$(sed '/^#/d;/^$/d' "$top/po/POTFILES.in")
for file in $(cd "$top" && grep -lE '(^|[^A-Za-z_])N?_\("' $(find src -name '*.c') | LC_ALL=C sort); do
	if printf '%s\n' "$listed" | grep -qx "$file"; then ok; else bad "$file has messages, but is not in po/POTFILES.in"; fi
done
for file in $listed; do
	[ -f "$top/$file" ] || bad "po/POTFILES.in names $file, which is not there"
done
for language in $(sed '/^#/d' "$top/po/LINGUAS"); do
	if [ -f "$top/po/$language.po" ]; then ok; else
		bad "po/LINGUAS names $language, but there is no po/$language.po"
		continue
	fi
	if ! command -v msgfmt >/dev/null; then continue; fi
	if complaints=$(msgfmt -c -o /dev/null "$top/po/$language.po" 2>&1); then ok; else
		bad "po/$language.po: $complaints"
	fi
done
verdict messages
