#!/bin/sh
# setup.sh - the missing packages of ./check and ./demo: what the script says, and that it asks nobody without a terminal
top=$(cd "${srcdir:-.}" && pwd)
. "$top/tests/lint/lib.sh"
made=$(mktemp -d) && trap 'rm -rf "$made"' EXIT || exit 1

# A system of two packages, of which one is missing.
cat >"$made/dpkg-query" <<'E'
#!/bin/sh
for name; do :; done
[ "$name" = there ] && printf installed
E
cat >"$made/apt-get" <<'E'
#!/bin/sh
echo "$*" >>"$CALLS"
case $* in
*update*) [ ! "${OFFLINE:-}" ] ;;
*--assume-no*) [ "${UNKNOWN:-}" ] || printf '%s\n' '0 upgraded, 7 newly installed, 0 to remove.' 'Need to get 12.3 MB of archives.'; exit 1 ;;
*) [ ! "${BROKEN:-}" ] ;;
esac
E
printf '#!/bin/sh\necho 0\n' >"$made/id"
chmod +x "$made/dpkg-query" "$made/apt-get" "$made/id"
echo 'set -eu; . "$1/scripts/setup.sh"; need_packages there missing' >"$made/run"

# said VARIABLE=VALUE: what the script says
said() {
	rm -f "$made/calls"
	env PATH="$made:$PATH" CALLS="$made/calls" "$@" sh "$made/run" "$top" 2>&1 </dev/null
}

out=$(said NONE=1)
[ $? -eq 0 ] && ok || bad "installing: $out"
case $out in *'missing packages: missing'*'installs 7 packages, 12.3 MB to download'*) ok ;; *) bad "the plan: $out" ;; esac
grep -q 'install -y .* missing$' "$made/calls" && ! grep -q there "$made/calls" && ok || bad "calls: $(cat "$made/calls")"
out=$(said OFFLINE=1)
[ $? -eq 1 ] && ok || bad "offline: $out"
case $out in *'cannot be fetched: check the network'*) ok ;; *) bad "offline: $out" ;; esac
grep -q install "$made/calls" && bad "offline: $(cat "$made/calls")" || ok
# apt-get warns of a source that it cannot reach, and does not know the packages.
out=$(said UNKNOWN=1)
[ $? -eq 1 ] && ok || bad "no plan: $out"
case $out in *'cannot be fetched: check the network'*) ok ;; *) bad "no plan: $out" ;; esac
grep -q 'install -y' "$made/calls" && bad "no plan: $(cat "$made/calls")" || ok
out=$(said BROKEN=1)
[ $? -eq 1 ] && ok || bad "without packages: $out"
case $out in *'cannot be installed'*) ok ;; *) bad "without packages: $out" ;; esac
verdict setup
