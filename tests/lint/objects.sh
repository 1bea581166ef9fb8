#!/bin/sh
# objects.sh - checks of what the linker sees: no writable global variable in the library, no two files that need each
# other, no global function that only its own file calls
#
# Run in the build folder.
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"

# objects FOLDER PREFIX: the objects below it that have a source (a build folder keeps those of files that went); each is
# there twice in a build of both libraries
objects() {
	{ find "$1" -name "$2-*.o" ! -path '*/.libs/*' | grep . || find "$1" -name "$2-*.o"; } | LC_ALL=C sort |
		while read -r object; do
			source=$(echo "${object%.o}.c" | sed "s,\.libs/,,; s,$2-,,")
			[ ! -e "$top/$source" ] || echo "$object"
		done
}
lib=$(objects lib libtnav_core_la)
src=$(objects src tnav)
if ! nm -f sysv $lib >/dev/null 2>&1; then
	echo "objects: nm says nothing of the objects"
	exit 77
fi
# What sanitizers, coverage and the compiler for 32 bits add is not the library's.
added='^__\(gcov\|llvm\|asan\|odr\|tsan\|ubsan\|sanitizer\|x86[.]get_pc_thunk\)'

# Variables that can be written: not in .data.rel.ro and .rodata, where constants are. Mapped files have a handler for
# the whole process (base/mapfile.h); the recorder's has nothing in it but its address.
changing=$(nm -f sysv $lib | awk -F'|' '
	/^Symbols from / { sub(/.*core_la-/, ""); sub(/:.*/, ""); file = $0; next }
	{ gsub(/ /, "", $1); gsub(/ /, "", $3) }
	$3 ~ /^[bBdDcC]$/ && $7 !~ /rel\.ro|rodata|asan|gcov/ && $1 !~ /^\.L/ { print $1, file }' |
	grep -v "$added" | sed 's/\(.*\) \(.*\)/\2:\1/')
for variable in $changing; do
	case $variable in
	mapfile.o:* | recorder.o:this_thread) ok ;;
	*) bad "$variable: a variable of the library that can change: it belongs into a structure of the caller's" ;;
	esac
done

# circles NAME OBJECT...: those of which each needs the next
circles() {
	name=$1
	shift
	nm -A --defined-only "$@" | sed -n 's/^\([^:]*\):[0-9a-f]* [TDBR] \(.*\)$/\2 \1/p' | grep -v "$added" >"$defined"
	nm -A -u "$@" | sed -n 's/^\([^:]*\): *U \(.*\)$/\2 \1/p' >"$needed"
	loops=$(awk 'NR == FNR { of[$1] = $2; next } ($1 in of) && of[$1] != $2 { print $2, of[$1] }' "$defined" "$needed" |
		LC_ALL=C sort -u | tsort 2>&1 >/dev/null | sed 's/^tsort: //')
	if [ -z "$loops" ]; then ok; else
		bad "$name: files that need each other:"
		printf '%s\n' "$loops"
	fi
}

# A function that one file alone needs is its own: static. Those of the public headers and what tests call are not.
lonely() {
	nm -A --defined-only $lib $src | sed -n 's/^\([^:]*\):[0-9a-f]* T \(.*\)$/\2 \1/p' >"$defined"
	nm -A -u $lib $src | sed -n 's/^[^:]*: *U \(.*\)$/\1/p' >"$needed"
	find "$top/lib/include/tnav" "$top/tests" -name '*.[ch]' -exec cat {} + | grep -o '[A-Za-z_][A-Za-z0-9_]*' |
		LC_ALL=C sort -u >>"$needed"
	for function in $(awk 'NR == FNR { used[$1]; next } !($1 in used) && $1 != "main" { print $1 }' "$needed" "$defined" |
		grep -v "$added"); do
		bad "$function: no other file needs it: it is static, or it goes"
	done
}

defined=$(mktemp) needed=$(mktemp)
trap 'rm -f "$defined" "$needed"' EXIT
circles lib $lib
circles src $src
lonely
verdict objects
