#!/bin/sh
# messages.sh - every file with messages for people is in a POTFILES.in (po of the program, lib/po of the
# library), and the catalogues are whole
top=${srcdir:-.}
top=$(cd "$top" && pwd)
. "$top/tests/lint/lib.sh"

# keywords FOLDER: what marks a message there, for xgettext
keywords() {
	awk '/^XGETTEXT_OPTIONS/ { on = 1 } on { print; if (!/\\$/) exit }' "$top/$1/Makevars" | tr -d '\\\n\t' | sed 's/^[^=]*=//; s/--/ --/g'
}

# listed FOLDER: the files whose messages its catalogues have
listed() {
	sed '/^#/d;/^$/d' "$top/$1/POTFILES.in"
}

# marked FILE FOLDER: does it have a message?
marked() {
	xgettext --from-code=UTF-8 $(keywords "$2") -o - "$top/$1" 2>/dev/null | grep -q '^msgid'
}

for file in $(cd "$top" && find src lib -name '*.c' | LC_ALL=C sort); do
	case $file in src/*) folder=po ;; *) folder=lib/po ;; esac
	if listed $folder | grep -qx "$file"; then ok; continue; fi
	# Most files have nothing that looks like one.
	grep -qE '[a-z_]\(.*"|N?_\("' "$top/$file" || continue
	command -v xgettext >/dev/null || continue
	if marked "$file" $folder; then bad "$file has messages, but is not in $folder/POTFILES.in"; else ok; fi
done
for folder in po lib/po; do
	for file in $(listed $folder); do
		[ -f "$top/$file" ] || bad "$folder/POTFILES.in names $file, which is not there"
	done
	for language in $(sed '/^#/d' "$top/$folder/LINGUAS"); do
		if [ -f "$top/$folder/$language.po" ]; then ok; else
			bad "$folder/LINGUAS names $language, but there is no $folder/$language.po"
			continue
		fi
		if ! command -v msgfmt >/dev/null; then continue; fi
		if complaints=$(msgfmt -c -o /dev/null "$top/$folder/$language.po" 2>&1); then ok; else
			bad "$folder/$language.po: $complaints"
		fi
		# Every message of the sources has its translation, and none is a guess.
		if ! command -v xgettext >/dev/null || ! command -v msgmerge >/dev/null; then continue; fi
		merged=$(cd "$top" && xgettext --from-code=UTF-8 $(keywords $folder) -o - $(listed $folder) 2>/dev/null |
			msgmerge -q -N -o - "$folder/$language.po" - 2>/dev/null)
		for lack in untranslated only-fuzzy; do
			lines=$(printf '%s\n' "$merged" | msgattrib --no-obsolete --no-location --$lack | sed '1,/^$/d')
			if [ -z "$lines" ]; then ok; else
				bad "$folder/$language.po: $lack (make -C $folder update-po, then translate):"
				printf '%s\n' "$lines"
			fi
		done
	done
done
verdict messages
