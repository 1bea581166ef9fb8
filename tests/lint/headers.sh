#!/bin/sh
# headers.sh - each public header compiles alone, as C99 and as C++, and is installed
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"

# compile HEADER WORD...: with this compiler, from an empty file
compile() {
	header=$1
	shift
	if output=$(printf '#include <tnav/%s>\nextern int unused;\n' "$header" |
			"$@" -I "$top/lib/include" -fsyntax-only - 2>&1); then
		ok
	else
		bad "tnav/$header: $*"
		printf '%s\n' "$output"
	fi
}

cxx=${CXX:-c++}
command -v ${cxx%% *} >/dev/null || {
	echo "headers: no C++ compiler ($cxx): only C is checked"
	cxx=
}
for path in "$top"/lib/include/tnav/*.h; do
	header=$(basename "$path")
	compile "$header" ${CC:-cc} -x c -std=c99 -pedantic -Wall -Wextra -Werror
	[ -z "$cxx" ] || compile "$header" $cxx -x c++ -std=c++11 -pedantic -Wall -Wextra -Werror
	if grep -q "tnav/$header" "$top/lib/include/local.mk"; then ok; else
		bad "tnav/$header is not in lib/include/local.mk: it would not be installed"
	fi
	# What may be called after what.
	if [ "$header" = tnav.h ] || sed '/\*\//q' "$path" | grep -q '^ \* States '; then ok; else
		bad "tnav/$header: its first comment has no table of states: what may be called after what"
	fi
	# Every function that can be called from outside is marked; a comment line is none.
	unmarked=$(awk '
		/^(TN_API|static|typedef|#|\/\*| \*|\t|}|extern)/ { next }
		/^[a-z].*[ *]tn_[a-z0-9_]*\(/ { print FILENAME ":" FNR ": " $0 }' "$path" | grep -v TN_API)
	# A prototype over two lines has TN_API on the first.
	for line in $(printf '%s\n' "$unmarked" | sed -n 's/^[^:]*:\([0-9]*\):.*/\1/p'); do
		if ! sed -n "$((line - 1))p" "$path" | grep -q 'TN_API'; then
			bad "tnav/$header:$line: a function without TN_API"
		fi
	done
done
verdict headers
