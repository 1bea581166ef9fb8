# lib.sh - counting for scripts of tests: ok, bad TEXT, verdict NAME; comparable FILE; translating FOLDER
passed=0
failed=0

ok() {
	passed=$((passed + 1))
}

bad() {
	echo "$*"
	failed=$((failed + 1))
}

# comparable FILE: its lines in a form that tnav and the installed babeltrace2 share. babeltrace2 2.1 sorts the labels of a value
# and puts them into braces, and calls the UUID of a trace UID; tnav writes what 2.0 writes.
comparable() {
	case $(babeltrace2 --version 2>/dev/null) in
	'Babeltrace 2.0'*) cat "$1" ;;
	*) perl -pe 's{\( (?:\{ )?("(?:[^"\\]|\\.)*"(?:, "(?:[^"\\]|\\.)*")+)(?: \})? :}
			{ my $labels = $1; "( " . join(", ", sort $labels =~ m{"(?:[^"\\]|\\.)*"}g) . " :" }ge;
		s/ \(UUID: / (UID: /' "$1" ;;
	esac
}

# translating FOLDER: a locale whose messages are translated, made there. glibc 2.41 does not translate for C.UTF-8.
translating() {
	[ -d /usr/lib/locale/C.utf8 ] || return 0
	mkdir -p "$1" && cp -r /usr/lib/locale/C.utf8 "$1/xx_XX.utf8" && export LOCPATH="$1" LC_ALL=xx_XX.UTF-8
}

verdict() {
	echo "$1: $passed passed, $failed failed"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
	exit
}
