#!/bin/sh
# words.sh - tracked text: no paths of somebody's machine, no trailing blanks, lines that fit; documents, comments and messages in
# plain English
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

# Documents and comments: words to avoid, sentences that begin with What or Who, paragraphs over 120 words, links that lead nowhere. A line of
# words.known is a reviewed exception: FILE: TEXT.
found=$(cd "$top" && perl - README.md HACKING.md CHANGELOG.md doc/*.md doc/*/*.md doc/*.[157] doc/dev/uncovered.reasons <<'END'
use strict;
use warnings;
use File::Basename qw(dirname);

my @avoid = (
	['is no' => qr/(?<![Tt]here )\b(?:is|are) no\b(?! longer)/], ['behind' => qr/\bbehind\b/], ['is told' => qr/\b(?:is|are) told\b/],
	['the begin of' => qr/\bthe begin of\b/], ['has not' => qr/\b(?:has|have) not\b(?! been| \w+ed\b)/], ['comes to' => qr/\bcomes? to\b/],
	['stands' => qr/\bstands?\b(?! for)/], ['lies' => qr/\b(?:lies|lie)\b/], ['looked for' => qr/\blooked for\b/],
	['too little room' => qr/\blittle room\b/], ['goes on' => qr/\b(?:goes|go) on\b/], ['given up' => qr/\bgiven up\b/],
	['gone over' => qr/\bgone over\b/], ['worth to know' => qr/\bworth to\b/], ['so many' => qr/\b(?:so|that) many\b/],
	['What or Who as subject' => qr/(?:^|[.:;] )(?:What|Who|what|who) [^.?]*(?:\.|$)/],
);
my %known;
if (open my $in, '<', 'tests/lint/words.known') {
	while (<$in>) {
		chomp;
		$known{$_} = 0;
	}
}
sub wrong {
	my ($file, $line, $what, $text) = @_;
	for (keys %known) {
		my ($of, $part) = split /: /, $_, 2;
		return ++$known{$_} if $of eq $file && index($text, $part) >= 0;
	}
	print "WRONG $file:$line: $what: $text\n";
}
for my $file (@ARGV) {
	open my $in, '<', $file or next;
	my ($code, $paragraph, $from) = (0, '', 0);
	my $ends = sub {
		my $text = $paragraph =~ s/`[^`]*`/X/gr;
		my @words = split ' ', $text;

		$paragraph = '';
		return unless @words;
		wrong($file, $from, 'a paragraph of ' . @words . ' words', $text) if @words > 120;
		for my $sentence (split /(?<=[.?]) /, $text) {
			wrong($file, $from, $_->[0], $sentence) for grep { $sentence =~ $_->[1] } @avoid;
		}
	};
	while (my $line = <$in>) {
		chomp $line;
		if ($file =~ /\.md$/) {
			while ($line =~ /(?:\]\(|src(?:set)?=")([^)#:"]+)[)"]/g) {
				wrong($file, $., 'a link to nowhere', $1) unless -e dirname($file) . "/$1";
			}
			$code = !$code, next if $line =~ /^```/;
			next if $code || $line =~ /^(?:    |\t)/ && $paragraph eq '';
		} elsif ($file =~ /[157]$/) {
			$code = $line =~ /^\.(?:EX|nf)/ if $line =~ /^\.(?:EX|EE|nf|fi)/;
			next if $code || $line =~ /^\.\\"/;
			$ends->() if $line =~ /^\.(?:PP|TP|IP|SH|SS|EX|EE|TS|TE|RS|nf)|^T\}|\tT\{$/;
			$ends->() if $line =~ /\t/;
			$line = $line =~ /^\.(?:B|I|BR|RB|BI|IB|RI|IR) (.*)/ ? $1 : '' if $line =~ /^[.']/;
			$line =~ s/\\f[BIRP]|\\[&c]|"//g;
		} else {
			$ends->();
			$line =~ s/^\S+ \S+: //;
		}
		$ends->() if $line =~ /^\s*$|^\s*[-*] |^\s*\d+\. |^\||^#/;
		$line =~ s/^[#\s]+|^\s*[-*] |^\s*\d+\. //;
		if ($line =~ /^\|/) {
			for my $cell (split /\|/, $line) {
				($paragraph, $from) = ($cell, $.);
				$ends->();
			}
			next;
		}
		$from = $. if $paragraph eq '';
		$paragraph .= ($paragraph eq '' ? '' : ' ') . $line if $line =~ /\S/;
	}
	$ends->();
	print "read\n";
}
# Comments, the words of program text: "who" is never code, "room" is space, and code looks at nothing. Files that still have
# such comments, or whole folders ("src/NAME/"), are listed here; the list only gets shorter.
my @unclean = ();
push @avoid, ['who' => qr/\b[Ww]ho\b/], ['room' => qr/(?<![\@.>\w`])\brooms?\b/], ['looked at' => qr/\blooked at\b/],
	['the same of' => qr/\bthe same of\b/];
for my $file (sort(glob('lib/*/*.[ch] lib/include/tnav/*.h src/*.[ch] src/*/*.[ch]'))) {
	next if grep { index($file, $_) == 0 } @unclean;
	open my $in, '<', $file or next;
	my $source = do { local $/; <$in> };
	my $line = 1;
	while ($source =~ m{(.*?)(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(/\*.*?\*/)|(//[^\n]*))}sg) {
		my $at = $line + ($1 =~ tr/\n//);
		my $text = $2 // $3;
		$line += $& =~ tr/\n//;
		next unless defined $text;
		$text =~ s{^/[/*]\s*|\s*\*/$}{}g;
		$text =~ s/\n\s*\*?\s*/ /g;
		$text =~ s/`[^`]*`/X/g;
		$text =~ s/^-+ | -+$//g;
		wrong($file, $at, 'What or Who', $text) if $text =~ /^(?:What|Who|what|who)\b/ && $text !~ /\?$/;
		for my $sentence (split /(?<=[.?]) /, $text) {
			wrong($file, $at, $_->[0], $sentence) for grep { $_->[0] ne 'What or Who as subject' && $sentence =~ $_->[1] } @avoid;
		}
	}
	print "read\n";
}
# Messages: the msgids of the catalogues, with the same words to avoid and some more that only messages have.
push @avoid, ['what is' => qr/\bwhat (?:is|was|are|were)\b/], ['whom' => qr/\bwhom\b/], ['taken for' => qr/\btaken for\b/],
	['is there' => qr/\b(?:is|are) (?:not )?there(?: any more)?\b(?! twice)/], ['is needed' => qr/\b(?:is|are) needed\b/],
	['any more' => qr/\bany more\b/], ['tells' => qr/\b(?:tells?|told)\b/], ['as it is' => qr/\bas (?:it|they) (?:is|are|was|were)\b/],
	['inside each other' => qr/\binside each other\b/], ['are the most' => qr/\bare the most\b/], ['beyond' => qr/\bbeyond\b/],
	['is called' => qr/\b(?:is|are|be) called\b/];
for my $file (qw(po/de.po lib/po/de.po)) {
	open my $in, '<', $file or next;
	my $catalogue = do { local $/; <$in> };
	while ($catalogue =~ /^msgid(?:_plural)? ((?:"(?:\\.|[^"\\])*"\n)+)/mg) {
		my $at = 1 + (substr($catalogue, 0, $-[0]) =~ tr/\n//);
		my $text = join '', $1 =~ /"((?:\\.|[^"\\])*)"/g;
		wrong($file, $at, $_->[0], $text) for grep { $text =~ $_->[1] } @avoid;
	}
	print "read\n";
}
print "WRONG tests/lint/words.known: not found: $_\n" for grep { !$known{$_} } sort keys %known;
END
)
while IFS= read -r line; do
	case $line in
	read) ok ;;
	*) bad "${line#WRONG }" ;;
	esac
done <<END
$found
END
verdict words
