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
	# Every message of the sources has its translation, and none is a guess.
	if ! command -v xgettext >/dev/null || ! command -v msgmerge >/dev/null; then continue; fi
	merged=$(cd "$top" && xgettext --from-code=UTF-8 --keyword=_ --keyword=N_ -o - $listed |
		msgmerge -q -N -o - "po/$language.po" - 2>/dev/null)
	for lack in untranslated only-fuzzy; do
		lines=$(printf '%s\n' "$merged" | msgattrib --no-obsolete --no-location --$lack | sed '1,/^$/d')
		if [ -z "$lines" ]; then ok; else
			bad "po/$language.po: $lack (make -C po update-po, then translate):"
			printf '%s\n' "$lines"
		fi
	done
done
verdict messages
