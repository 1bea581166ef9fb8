#!/bin/sh
# library.sh - the installed library exports what the public headers declare, and nothing else
#
# Run in the build folder. A build without a shared library has nothing to export.
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"

# Names of the functions that the headers mark with TN_API.
declared=$(cat "$top"/lib/include/tnav/*.h | awk '
	/^#/ { next }
	/TN_API/ { on = 1 }
	on && match($0, /tn_[a-z0-9_]*\(/) { print substr($0, RSTART, RLENGTH - 1); on = 0 }' | LC_ALL=C sort -u)
shared=lib/.libs/libtnav.so
if [ -e "$shared" ]; then
	exported=$(nm -D --defined-only "$shared" | awk '$2 ~ /[TDBRVW]/ { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort -u)
else
	# Static only: at least each declared function has to be there.
	exported=$(nm --defined-only lib/.libs/libtnav.a lib/libtnav.a 2>/dev/null |
		awk '$2 ~ /[T]/ && $3 ~ /^tn_/ { print $3 }' | LC_ALL=C sort -u)
	exported=$(printf '%s\n' $declared $exported | LC_ALL=C sort | uniq -d)
	echo "library: only static: what it hides cannot be checked"
fi
for name in $declared; do
	if printf '%s\n' "$exported" | grep -qx "$name"; then ok; else
		bad "$name() is declared in a public header, but libtnav has no such function"
	fi
done
for name in $exported; do
	case $name in
	tn_*) printf '%s\n' "$declared" | grep -qx "$name" || bad "$name is exported, but no public header declares it" ;;
	*) bad "$name is exported" ;;
	esac
done
# Debian's package names each of them, with the version that has it first.
symbols=$top/debian/libtnav0.symbols
if [ -e "$symbols" ]; then
	listed=$(sed -n 's/^ \(tn_[a-z0-9_]*\)@TNAV_0 .*/\1/p' "$symbols")
	for name in $(printf '%s\n' $declared $listed | LC_ALL=C sort | uniq -u); do
		bad "$name() and debian/libtnav0.symbols: run scripts/symbols"
	done
	ok
fi
verdict library
