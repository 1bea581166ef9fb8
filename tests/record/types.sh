#!/bin/sh
# types.sh - what tn_record() records of each type of C++ and C, and what must not compile: the message says what to call
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1

# refused NAME EXPRESSION COMPILER...
refused() {
	name=$1 expression=$2
	shift 2
	if output=$("$@" -I "$top/lib/include" -fsyntax-only "-DWRONG=$expression" 2>&1); then
		bad "$name: tn_record() takes $expression"
	elif printf '%s\n' "$output" | grep -q 'error: .*tn_record() takes .*call tn_record_array()'; then
		ok
	else
		bad "$name: $expression: the message does not say what to call:"
		printf '%s\n' "$output" | grep -m 3 error
	fi
}

cxx=${CXX:-c++}
if command -v ${cxx%% *} >/dev/null; then
	for std in 11 17 20; do
		$cxx -std=c++$std -x c++ -fsyntax-only - </dev/null 2>/dev/null || continue
		if $cxx -std=c++$std -pedantic -Wall -Wextra -Werror -I "$top/lib/include" "$top/tests/record/types.cc" \
			-o "$work/types" 2>"$work/errors" && "$work/types"; then ok; else
			bad "C++$std"
			head -n 10 "$work/errors"
		fi
		for expression in '&number' '&object' 'object' 'objects' 'raw+0' 'static_cast<void*>(text)' 'nullptr' 'main' \
				'reinterpret_cast<const unsigned char*>(text)' '&own::x' 'std::vector<own>(2)'; do
			refused "C++$std" "$expression" $cxx -std=c++$std "$top/tests/record/types.cc"
		done
	done
else
	echo "types: no C++ compiler ($cxx): only C is checked"
fi
for expression in 'ints' '&ints' '&object' 'object' '(unsigned char*)text' '(void*)text' 'main' '5.0L'; do
	refused C "$expression" ${CC:-cc} -std=c11 "$top/tests/record/types.c"
done
if ${CC:-cc} -std=c11 -pedantic -Wall -Wextra -Werror -I "$top/lib/include" -c "$top/tests/record/types.c" -o "$work/types.o" \
	2>"$work/errors"; then ok; else
	bad "C"
	head -n 10 "$work/errors"
fi
verdict types
