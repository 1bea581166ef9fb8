#!/bin/sh
# check.sh - what ./check says at its end: the names of what failed, above the count; what did not run has failed
top=$(cd "${srcdir:-.}" && pwd)
. "$top/tests/lint/lib.sh"
made=$(mktemp -d) && trap 'rm -rf "$made"' EXIT || exit 1

# Its functions, and a project of four tests, of which two fail and one never runs.
sed -n '/^passed=0$/,/^must need_packages/p' "$top/check" | sed '$d' >"$made/functions"
mkdir -p "$made/build/tests"
cat >"$made/build/Makefile" <<'E'
TEST_LOGS = tests/good.log tests/bad.log tests/crashed.log tests/never.log
check:
	@printf '7 passed, 0 failed\n' >tests/good.log; echo ':test-result: PASS' >tests/good.trs
	@printf '3 passed, 2 failed\n' >tests/bad.log; echo ':test-result: FAIL' >tests/bad.trs
	@printf 'Segmentation fault\n' >tests/crashed.log; echo ':test-result: ERROR' >tests/crashed.trs
	@false
E
cat >"$made/run" <<'E'
say() { :; }
jobs=1
set -u
. "$1/functions"
begin check ''
run_check "$1/build" >/dev/null 2>&1
begin sanitize ''
must false
E
said=$(unset QUICK MAKEFLAGS MFLAGS MAKEOVERRIDES; sh "$made/run" "$made" 2>&1)
status=$?
want='failed:
check: tests/never did not run
check: tests/bad
check: tests/crashed
sanitize: false
threads: did not run
distcheck: did not run
release: did not run
corpora: did not run
10 passed, 9 failed'
[ "$status" -eq 1 ] && ok || bad "check ended with $status"
[ "$said" = "$want" ] && ok || bad "check said: $said"

# A lint that is run where no sources are has checked nothing: it fails.
(unset srcdir && cd "$made" && perl "$top/tests/lint/errors") >/dev/null 2>&1 && bad "tests/lint/errors passes without a text" || ok
verdict check
