# json.pl - one line of JSON as data, for tests that read many: several times as fast as JSON::PP
#
# json(LINE) returns what JSON::PP->decode(LINE) does, or dies. LINE is text, not bytes. An integer too large for Perl is its
# digits. true and false are 1 and 0.
use strict;
use warnings FATAL => 'all';

my %escapes = (b => "\b", f => "\f", n => "\n", r => "\r", t => "\t");

sub json_text {
	my ($text) = @_;

	$text =~ s/\\u[dD]([89abAB][0-9a-fA-F]{2})\\u[dD]([c-fC-F][0-9a-fA-F]{2})/
		chr(0x10000 + ((hex("D$1") - 0xD800) << 10) + hex("D$2") - 0xDC00)/ge;
	$text =~ s/\\(?:u([0-9a-fA-F]{4})|(.))/defined $1 ? chr(hex $1) : $escapes{$2} \/\/ $2/gse;
	return $text;
}

# The value at the place of $_ that \G is.
sub json_value {
	return index($1, '\\') < 0 ? $1 : json_text($1) if /\G"((?:[^"\\]++|\\.)*+)"/gc;
	if (/\G(-?\d++)(?![.eE])/gc) {
		return $1 + 0 if length $1 < 19;
		my $rounded = $1 + 0;
		return "$rounded" eq $1 ? $1 + 0 : $1;
	}
	if (/\G\{/gc) {
		my %object;

		return \%object if /\G\s*\}/gc;
		do {
			/\G\s*"((?:[^"\\]++|\\.)*+)"\s*:\s*/gc or die 'json: no key at ', pos // 0, ": $_\n";
			my $key = index($1, '\\') < 0 ? $1 : json_text($1);
			$object{$key} = json_value();
		} while (/\G\s*,/gc);
		/\G\s*\}/gc or die 'json: no end of an object at ', pos // 0, ": $_\n";
		return \%object;
	}
	if (/\G\[\s*/gc) {
		my @array;

		return \@array if /\G\]/gc;
		do {
			/\G\s+/gc;
			push @array, json_value();
		} while (/\G\s*,/gc);
		/\G\s*\]/gc or die 'json: no end of an array at ', pos // 0, ": $_\n";
		return \@array;
	}
	return $1 + 0 if /\G(-?\d++(?:\.\d++)?(?:[eE][-+]?\d++)?)/gc;
	return $1 eq 'null' ? undef : $1 eq 'true' ? 1 : 0 if /\G(null|true|false)/gc;
	die 'json: no value at ', pos // 0, ": $_\n";
}

sub json {
	local ($_) = @_;

	pos = 0;
	/\G\s*/gc;
	my $value = json_value();
	/\G\s*\z/gc or die 'json: more after the value at ', pos // 0, ": $_\n";
	return $value;
}

1;
