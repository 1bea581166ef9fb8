# lib.sh - counting for the lint scripts: ok, bad TEXT, verdict NAME
passed=0
failed=0

ok() {
	passed=$((passed + 1))
}

bad() {
	echo "$*"
	failed=$((failed + 1))
}

verdict() {
	echo "$1: $passed passed, $failed failed"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
	exit
}
