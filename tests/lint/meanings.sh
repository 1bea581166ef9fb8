#!/bin/sh
# meanings.sh - when the code that says what stored bytes mean is changed, somebody has thought of the number in their key
#
#   tests/lint/meanings.sh --same [NAME...]	what was stored before is still right, or the number was raised: write that down
#
# lib/base/meaning.h has the numbers. meanings.known has each of them with a sum of every source that it stands for, without
# comments and blanks.
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"
known=$top/tests/lint/meanings.known
header=$top/lib/base/meaning.h

# The folders and files that a number stands for.
sources() {
	case $1 in
	CTF) echo ctf plan model base/bits.h ;;
	OVNI) echo ovni ;;
	VARTRACE) echo vartrace ;;
	PERFDATA) echo perfdata ftrace ;;
	UFTRACE) echo uftrace ;;
	PERFETTO) echo perfetto ;;
	TRACEDAT) echo tracedat ftrace ;;
	CHROMEJSON) echo chromejson ;;
	INDEX) echo index model/loss.c model/trace.h ;;
	DIGEST) echo digest base/text_hash scan/zone scan/packet_skip scan/prefilter scan/pattern scan/condition_verdict ;;
	QUESTION) echo language scan/question scan/filter answer/question_text text ;;
	ANSWER) echo answer ;;
	SPANS) echo span order ;;
	GROUPS) echo group ;;
	LANES) echo lane ;;
	COMPARE) echo compare ;;
	ARCHIVE) echo archive/whole archive/archive ;;
	*) return 1 ;;
	esac
}

# NAME FILE SUM of each of its sources.
sums() {
	for source in $(sources "$1"); do
		found=$(ls -d "$top/lib/$source"*.[ch] "$top/lib/$source"/*.[ch] "$top/lib/$source"/*.def "$top/lib/$source" 2>/dev/null |
			grep -E '\.([ch]|def)$')
		[ -n "$found" ] || echo "$1 lib/$source missing"
		echo "$found"
	done | LC_ALL=C sort -u | perl -e '
		for my $path (<STDIN>) {
			chomp $path;
			next unless length $path;
			if ($path =~ / missing$/) { print "$path\n"; next }
			open my $f, "<", $path or die "$path: $!\n";
			local $/;
			my $text = <$f>;
			# Strings stay as they are.
			$text =~ s{("(?:\\.|[^"\\\n])*")|/\*.*?\*/|//[^\n]*}{$1 // " "}ges;
			$text =~ s/\s+/ /g;
			my $sum = 0;
			$sum = ($sum * 31 + $_) % 4294967291 for unpack "C*", $text;
			printf "%s %s %010d\n", $ARGV[0], $path =~ m{([^/]+)$}, $sum;
		}' "$1" | LC_ALL=C sort
}

numbers() {
	sed -n 's/^#define TN_MEANING_\([A-Z]*\) \([0-9][0-9]*\).*/\1 \2/p' "$header"
}

if [ "${1:-}" = --same ]; then
	shift
	names=${*:-$(numbers | cut -d ' ' -f 1)}
	for name in $names; do
		sources "$name" >/dev/null || { echo "$name: no such number"; exit 2; }
		{ grep -v "^$name " "$known" 2>/dev/null; numbers | grep "^$name "; sums "$name"; } | LC_ALL=C sort >"$known.new"
		mv "$known.new" "$known"
	done
	exit 0
fi

numbers >meanings.numbers.$$
trap 'rm -f meanings.*.$$' EXIT
while read -r name number; do
	if ! sources "$name" >/dev/null; then
		bad "TN_MEANING_$name: tests/lint/meanings.sh does not know which sources it stands for"
		continue
	fi
	was=$(sed -n "s/^$name \([0-9][0-9]*\)$/\1/p" "$known")
	sums "$name" >meanings.now.$$
	grep "^$name [a-z]" "$known" | diff - meanings.now.$$ | sed -n 's/^[<>] [A-Z]* \([^ ]*\) .*/\1/p' | LC_ALL=C sort -u >meanings.changed.$$
	if [ "$number" -lt "${was:-0}" ]; then
		bad "TN_MEANING_$name is $number and was $was: it is only raised"
	elif [ "$number" -ne "${was:-0}" ]; then
		bad "TN_MEANING_$name is $number and was ${was:-not there}: write it down with tests/lint/meanings.sh --same $name"
	elif [ -s meanings.changed.$$ ]; then
		bad "TN_MEANING_$name is still $number, but these were changed: $(tr '\n' ' ' <meanings.changed.$$)
  If any trace now gives another result, or it is stored in another form: raise the number in lib/base/meaning.h.
  Then, or if not: tests/lint/meanings.sh --same $name"
	else
		ok
	fi
done <meanings.numbers.$$

# Each format says which number is its.
for file in $(grep -l '^const struct tn_format tn_format_' "$top"/lib/*/*.c); do
	grep -q '\.meaning = TN_MEANING_' "$file" && ok || bad "${file#"$top"/}: a format without .meaning (lib/base/meaning.h)"
done
# And each number is in a key.
for name in $(cut -d ' ' -f 1 meanings.numbers.$$); do
	grep -rw "TN_MEANING_$name" "$top/lib" --include='*.[ch]' | grep -qv '/base/meaning\.h:' && ok || bad "TN_MEANING_$name is in no key"
done
verdict meanings
