#!/bin/sh
# includes.sh - includes point down only: the table of layers, checked against every #include
#
# A module may include its own headers, <tnav/...>, and those of the modules after its name.
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"

allowed='
base
model		base
plan		base model
ctf		base model plan
ovni		base model plan
vartrace	base model plan
ftrace		base model plan
perfdata	archive base model plan ftrace
tracedat	base model plan ftrace
index		base model plan
chromejson	base model plan index
uftrace		base model plan ftrace
perfetto	base model index
digest		base model index
live		base
archive		base
text		base model plan
write		base model plan
order		base model plan index
set		archive base model plan index digest live order ctf ovni vartrace perfdata tracedat chromejson uftrace perfetto
language	base model plan index digest text write order
scan		base model plan index digest text write order language
answer		base model plan index digest text order language scan
export		archive base model plan index digest text write order language scan
span		base model plan index digest text order language scan answer
group		base model plan index digest text order language scan answer span
compare		base model plan index digest text order language scan answer span group
lane		base model plan index digest text order language scan answer span
symbol		base model plan index digest text order language scan
stack		base model plan index digest text order language scan answer span
plot		base model text language set scan answer span group
columns		base model plan index digest text write order language scan answer
'

# quoted FILE...: "file:line:header" of each #include "header"
quoted() {
	grep -Hn '^[ 	]*#[ 	]*include[ 	]*"' "$@" /dev/null |
		sed 's/^\([^:]*:[0-9]*\):.*"\([^"]*\)".*/\1:\2/'
}

angled() {
	grep -Hn '^[ 	]*#[ 	]*include[ 	]*<' "$@" /dev/null |
		sed 's/^\([^:]*:[0-9]*\):.*<\([^>]*\)>.*/\1:\2/'
}

# The program's modules, in the same way; src itself (main.c) may use them all.
program_allowed='
screen
term		screen
cli		screen
session		screen term cli
views		screen session
prompt		screen session
select		screen term cli session views
travel		screen session select
reopen		screen cli session select
command		screen term cli session views prompt select travel reopen
browser		screen term cli session views prompt select travel reopen command
'

# The program's own sources, by folder
program() {
	find "$top/src" -name '*.[ch]' | LC_ALL=C sort
}

module_rows=$(printf '%s\n' "$allowed" | sed '/^$/d')
for folder in "$top"/lib/*/; do
	module=$(basename "$folder")
	[ "$module" = include ] && continue
	files=$(find "$folder" -name '*.[ch]')
	[ -n "$files" ] || continue
	row=$(printf '%s\n' "$module_rows" | awk -v module="$module" '$1 == module { print; exit }')
	if [ -z "$row" ]; then
		bad "lib/$module: not in the table of floors (tests/lint/includes.sh)"
		continue
	fi
	for use in $(quoted $files); do
		header=${use##*:}
		case $header in
		*/*) target=${header%%/*} ;;
		*) target=$module ;;
		esac
		case " $(echo $row) " in
		*" $target "*) ok ;;
		*) bad "${use%:*}: lib/$module must not include \"$header\"" ;;
		esac
	done
	for use in $(angled $files); do
		case ${use##*:} in
		*curses* | *termios*) bad "${use%:*}: lib/$module must not know a terminal" ;;
		esac
	done
done

# Threads are made in one place, which leaves signals to the program.
for use in $(grep -Hn 'pthread_create\|thrd_create' $(find "$top/lib" "$top/src" -name '*.c') | sed 's/^\([^:]*:[0-9]*\):.*/\1/'); do
	case $use in
	*/lib/base/threads.c:*) ok ;;
	*) bad "$use: threads are made by lib/base/threads.c: tn_threads_start(), tn_worker_start()" ;;
	esac
done

for use in $(quoted "$top"/lib/include/tnav/*.h); do
	bad "${use%:*}: a public header includes only <...>"
done
for use in $(quoted $(program)); do
	header=${use##*:}
	# The first column of the table has every module of the library.
	if [ "${header#*../lib/}" != "$header" ] || echo "$allowed" | grep -q "^${header%%/*}\([[:space:]]\|\$\)"; then
		bad "${use%:*}: src includes only <tnav/...> of the library, not \"$header\""
	else
		ok
	fi
done
for use in $(angled $(program)); do
	case $use in
	*/src/term/*) ;;
	*curses*) bad "${use%:*}: only src/term includes curses" ;;
	esac
done
program_rows=$(printf '%s\n' "$program_allowed" | sed '/^$/d')
for folder in "$top"/src/*/; do
	module=$(basename "$folder")
	row=$(printf '%s\n' "$program_rows" | awk -v module="$module" '$1 == module { print; exit }')
	if [ -z "$row" ]; then
		bad "src/$module: not in the table of the program's modules (tests/lint/includes.sh)"
		continue
	fi
	for use in $(quoted $(find "$folder" -name '*.[ch]')); do
		header=${use##*:}
		case $header in
		gettext.h) target=$module ;;
		*/*) target=${header%%/*} ;;
		*) target=$module
			[ -e "$folder/$header" ] || bad "${use%:*}: src/$module has no \"$header\": name its module" ;;
		esac
		case " $(echo $row) " in
		*" $target "*) ok ;;
		*) bad "${use%:*}: src/$module must not include \"$header\"" ;;
		esac
	done
done
# Views return a reply and the app acts: a view knows no other view.
for use in $(quoted $(find "$top/src/views" -name '*.[ch]')); do
	file=$(basename "${use%%:*}")
	header=${use##*:}
	case $header:$file in
	*/*:* | gettext.h:* | view.h:* | list.h:* | event_line.h:* | strip.h:* | axis.h:* | "${file%.*}.h:$file" | *:registry.c) ok ;;
	"${file%%[._]*}"_*:* | *:"${header%%[._]*}"_*) ok ;;	# a part of the same view
	*) bad "${use%:*}: a view must not include another view, \"$header\"" ;;
	esac
done
# The documents name every module.
for folder in "$top"/lib/*/ "$top"/src/*/; do
	module=$(basename "$folder")
	grep -q "^| .*\`$module\`" "$top/HACKING.md" && ok || bad "HACKING.md: the table of modules does not name $module"
	case $module in include | po) continue ;; esac
	grep -q "^| .*/$module/\`" "$top/doc/dev/architecture.md" && ok || bad "doc/dev/architecture.md: the table of modules does not name $module"
done
verdict includes
