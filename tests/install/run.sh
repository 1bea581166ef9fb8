#!/bin/sh
# run.sh - make installcheck: the installed program runs, and a program can be built with what pkg-config says
#
# BINDIR, LIBDIR, PKGCONFIGDIR, MANDIR: where things are installed; CC; srcdir; run in the build folder.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8 TZ=UTC XDG_CACHE_HOME="$work/cache"
export PKG_CONFIG_PATH="$PKGCONFIGDIR${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}" LD_LIBRARY_PATH="$LIBDIR"
tests/demo/write_demo "$work/trace"

[ "$("$BINDIR/tnav" --count "$work/trace")" = 6016 ] || { echo "installcheck: tnav does not count"; exit 1; }
want='6016 events, the last one is sched_switch'
$CC -std=c99 -pedantic -Wall -Werror "$srcdir/tests/install/program.c" -o "$work/program" \
	$(pkg-config --cflags --libs libtnav)
got=$("$work/program" "$work/trace")
[ "$got" = "$want" ] || { echo "installcheck: with the shared library: $got"; exit 1; }
[ "$("$work/program")" = "$(pkg-config --modversion libtnav)" ] || { echo "installcheck: the version"; exit 1; }
# The static one, where it is installed.
if [ -e "$LIBDIR/libtnav.a" ]; then
	$CC -std=c99 "$srcdir/tests/install/program.c" -o "$work/static" $(pkg-config --cflags libtnav) \
		"$LIBDIR/libtnav.a" $(pkg-config --static --libs libtnav | sed 's/-ltnav//')
	got=$("$work/static" "$work/trace")
	[ "$got" = "$want" ] || { echo "installcheck: with the static library: $got"; exit 1; }
fi
# Titles of another language stand in columns as wide as they are shown, where its messages are installed.
. "$srcdir/tests/lint/lib.sh"
translating "$work/locales"
titles=$(LANGUAGE=de "$BINDIR/tnav" --info "$work/trace")
case $titles in
*Gr*'e:          294912'* | *' Size:           294912'*) ;;
*) echo "installcheck: columns of --info: $titles"; exit 1 ;;
esac
# A page for each function.
pages=$(grep -l '^\.so man3/libtnav' "$MANDIR"/man3/tn_*.3 | wc -l)
[ "$pages" -ge 380 ] || { echo "installcheck: $pages functions have a manual page"; exit 1; }
for page in $(sed -s 's/^\.so //' "$MANDIR"/man3/tn_*.3 | sort -u); do
	[ -s "$MANDIR/$page" ] || { echo "installcheck: no page $page"; exit 1; }
done
echo "installcheck: fine"
