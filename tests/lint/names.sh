#!/bin/sh
# names.sh - no file stands beside a source file of its name: `exhaust` and `exhaust.c`
#
# make has rules of its own that make `exhaust` of `exhaust.c`. When the source file is the newer one, they replace the
# other file, or delete it when that fails.
top=$(cd "${srcdir:-.}" && pwd)
. "$top/tests/lint/lib.sh"

# beside FOLDER: print each file that make would overwrite
beside() {
	(cd "$1" && find . \( -name .git -o -name build -o -name _build -o -name _inst -o -name autom4te.cache \) -prune -o -type f -print |
		grep -E '\.(c|cc|cpp|C|f|F|m|r|s|S|l|y|p|sh|mod|o|texi|w|web|ch|tex)$' | while read -r source; do
			[ ! -f "${source%.*}" ] || echo "${source%.*}: make may replace it by what it makes of $source: rename one of them"
		done)
}

# The lint sees such a pair.
made=$(mktemp -d) && trap 'rm -rf "$made"' EXIT || exit 1
: >"$made/run" && : >"$made/run.sh" && : >"$made/other.c"
[ "$(beside "$made" | wc -l)" -eq 1 ] && ok || bad "names: run and run.sh are not seen"
# Of the project's own; programs that were built in the source folder are none of its files.
pairs=$(beside "$top" | while read -r line; do
	head -n 2 "$top/${line%%:*}" | grep -aq 'ELF\|temporary wrapper script' || printf '%s\n' "$line"
done)
[ -z "$pairs" ] && ok || bad "$pairs"

# make leaves such a script alone.
printf '#!/bin/sh\nexit 0\n' >"$made/script" && chmod +x "$made/script"
echo 'int main(void) { return 0; }' >"$made/script.c"
touch -d '2020-01-01' "$made/script"
sed -n '/^%: %/p' "$top/Makefile.am" >"$made/Makefile"
make -s -C "$made" script >/dev/null 2>&1
grep -q 'exit 0' "$made/script" 2>/dev/null && ok || bad "Makefile.am: make replaces a script by the program of a source file beside it"
verdict names
