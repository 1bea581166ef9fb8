#!/bin/sh
# build.sh - what the build says where something is missing, and what other machines compile
#
# Run in the build folder.
top=$(cd "${srcdir:-.}" && pwd)
. "$top/tests/lint/lib.sh"
made=$(mktemp -d) && trap 'rm -rf "$made"' EXIT || exit 1

# On 32 bits there is no __int128: what uses it compiles without.
for file in $(cd "$top" && grep -rlE --include='*.c' 'int128|INT128|order/merge\.h|tn_merge_key' lib tests/unit); do
	case $file in tests/unit/*) echo '#include <criterion/criterion.h>' | ${CC:-cc} -x c -fsyntax-only - 2>/dev/null || continue ;; esac
	if said=$(${CC:-cc} -std=gnu11 -fsyntax-only -U__SIZEOF_INT128__ -I. -I"$top/lib/include" -I"$top/lib" "$top/$file" 2>&1); then ok; else
		bad "$file does not compile where there is no __int128:"
		printf '%s\n' "$said" | head -n 5
	fi
done

# configure tells which modules of perl are missing: all that tests and scripts use.
listed=$(sed -n '/^for tn_module in/,/; do$/p' "$top/configure.ac" | tr -s ' \t\\;' '\n')
for module in $(cd "$top" && grep -rhE '^[[:space:]]*use [A-Z]' tests scripts 2>/dev/null |
		sed -n 's/^[[:space:]]*use \([A-Z][A-Za-z0-9]*\(::[A-Za-z0-9]*\)*\)[ ;].*/\1/p' | LC_ALL=C sort -u); do
	printf '%s\n' "$listed" | grep -qx -- "$module" && ok || bad "configure.ac does not look for perl's module $module"
done

# Without pkg-config configure names pkg-config, not the first library.
if [ -x "$top/configure" ]; then
	said=$(cd "$made" && unset PKG_CONFIG && ac_cv_path_PKG_CONFIG='' ac_cv_path_ac_pt_PKG_CONFIG='' CC="${CC:-cc}" \
		"$top/configure" --disable-nls 2>&1)
	printf '%s\n' "$said" | grep -q 'error: pkg-config is missing' && ok ||
		bad "without pkg-config: $(printf '%s\n' "$said" | tail -n 1)"
fi
verdict build
