#!/bin/sh
# words.sh - tracked text: no paths of somebody's machine, no trailing blanks, lines that fit
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"

# The files of the project: as git knows them, or all of an unpacked tarball.
if [ -e "$top/.git" ] && command -v git >/dev/null && files=$(cd "$top" && git ls-files 2>/dev/null) && [ -n "$files" ]
then :
else
	files=$(cd "$top" && find . -type f -name '*.[ch]' -o -name '*.mk' -o -name '*.md' -o -name '*.sh' -o -name '*.tnt')
fi

# Written in pieces, so that this file does not hold what it looks for.
paths="/wor""k/|/tmp/""[bt]/|/home/""[a-z]+/|/roo""t/|[.]librar""y"
# 110 columns are the style, 132 the limit; a tab goes to the next multiple of 8. Tables of tests may be wide.
found=$(printf '%s\n' "$files" | top=$top paths=$paths perl -ne '
	chomp;
	my $file = $_;
	next unless -f "$ENV{top}/$file" && open my $in, "<", "$ENV{top}/$file";
	my %wrong;
	while (my $line = <$in>) {
		chomp $line;
		push @{$wrong{"a path of one machine"}}, "$.:$line" if $line =~ /$ENV{paths}/;
		push @{$wrong{"a conflict that nobody resolved"}}, "$.:$line" if $line =~ /^(<{7} |>{7} )/;
		push @{$wrong{"blanks at the end of a line"}}, "$.:$line" if $file =~ /\.[ch]$/ && $line =~ /[ \t]$/;
		next unless $file =~ m{^(\./)?(lib|src)/.*\.[ch]$};
		utf8::decode($line);
		1 while $line =~ s/\t/" " x (8 - $-[0] % 8)/e;
		push @{$wrong{"lines over 132 columns"}}, "$.: " . length($line) . " columns" if length $line > 132;
	}
	close $in;
	print "read\n" unless %wrong;
	print map { ("WRONG $file: $_:\n", map { "  $_\n" } @{$wrong{$_}}) } sort keys %wrong;')
while IFS= read -r line; do
	case $line in
	read) ok ;;
	WRONG*) bad "${line#WRONG }" ;;
	*) printf '%s\n' "$line" ;;
	esac
done <<END
$found
END
verdict words
