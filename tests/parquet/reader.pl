# reader.pl - Parquet files, read with nothing but perl: rows, and whether all that the file says of them is true
#
# It knows what tnav writes: pages of version 1; plain values, dictionaries, packed differences; no compression, or
# zstd by the program of that name. It dies where the file breaks a rule of the format.
use strict;
use warnings;
no warnings 'portable';

package Parquet;

use File::Temp qw(tempdir);

# ---- Thrift: a struct is { id => value }, a list an array ----

sub byte { my ($in) = @_; die "behind the end\n" if $in->{at} >= length $in->{text}; return ord substr $in->{text}, $in->{at}++, 1 }

sub varint {
	my ($in) = @_;
	my ($v, $shift) = (0, 0);
	my $b;
	do { $b = byte($in); $v |= ($b & 127) << $shift; $shift += 7 } while $b & 128;
	return $v;
}

sub zigzag {
	my ($in) = @_;
	my $n = varint($in);
	return unpack 'q', pack 'Q', ($n >> 1) ^ ($n & 1 ? ~0 : 0);
}

sub bytes {
	my ($in, $n) = @_;
	die "$n bytes behind the end\n" if $in->{at} + $n > length $in->{text};
	$in->{at} += $n;
	return substr $in->{text}, $in->{at} - $n, $n;
}

sub thrift_value {
	my ($in, $type) = @_;
	return 1 if $type == 1;
	return 0 if $type == 2;
	return unpack 'c', bytes($in, 1) if $type == 3;
	return zigzag($in) if $type >= 4 && $type <= 6;
	return bytes($in, varint($in)) if $type == 8;
	if ($type == 9) {
		my $head = byte($in);
		my $n = $head >> 4 == 15 ? varint($in) : $head >> 4;
		return [ map { ($head & 15) <= 2 ? 2 - byte($in) : thrift_value($in, $head & 15) } 1 .. $n ];
	}
	return thrift_struct($in) if $type == 12;
	die "type $type of Thrift\n";
}

sub thrift_struct {
	my ($in) = @_;
	my ($s, $id) = ({}, 0);
	while (my $head = byte($in)) {
		my $before = $id;
		$id = $head >> 4 ? $id + ($head >> 4) : zigzag($in);
		die "field $id behind field $before\n" if $id <= $before;
		$s->{$id} = thrift_value($in, $head & 15);
	}
	return $s;
}

# ---- encodings ----

sub unsigned_at { my ($text, $at, $n) = @_; my $v = 0; $v |= ord(substr $text, $at + $_, 1) << 8 * $_ for 0 .. $n - 1; return $v }

# @n numbers of $bits bits.
sub unpacked {
	my ($text, $n, $bits) = @_;
	return (0) x $n unless $bits;
	my $all = unpack 'b*', $text;
	return map { my $s = substr $all, $_ * $bits, $bits; unpack 'Q<', pack('b64', $s . '0' x (64 - $bits)) } 0 .. $n - 1;
}

sub hybrid {
	my ($in, $n, $bits) = @_;
	my @v;
	while (@v < $n) {
		my $head = varint($in);
		die "an empty run\n" unless $head >> 1;
		if ($head & 1) {
			push @v, unpacked(bytes($in, ($head >> 1) * $bits), ($head >> 1) * 8, $bits);
			die "a run in the middle is filled up\n" if @v > $n + 7;
		} else {
			my $size = int(($bits + 7) / 8);
			my $value = unsigned_at(bytes($in, $size), 0, $size);
			die "a value of more than $bits bits\n" if $bits < 64 && $value >> $bits;
			push @v, ($value) x ($head >> 1);
			die "a run goes beyond the page\n" if @v > $n;
		}
	}
	return @v[0 .. $n - 1];
}

sub wrap { my ($v, $wide) = @_; return $wide ? unpack('q', pack 'Q', $v) : unpack('l', pack 'L', $v & 0xffffffff) }

sub add { my ($a, $b) = @_; use integer; return $a + $b }

sub differences {
	my ($in, $n, $wide) = @_;
	my ($block, $parts, $count, $first) = (varint($in), varint($in), varint($in), zigzag($in));
	die "$count differences, not $n\n" if $count != $n;
	my @v = $n ? $first : ();
	my $size = $block / $parts;
	while (@v < $n) {
		my $least = zigzag($in);
		my @bits = map { byte($in) } 1 .. $parts;
		for my $bits (@bits) {
			if (@v >= $n) {
				die "a part behind the end has bits\n" if $bits;
				next;
			}
			for my $d (unpacked(bytes($in, $size * $bits / 8), $size, $bits)) {
				last if @v >= $n;
				push @v, wrap(add(add($v[-1], $least), $d), $wide);
			}
		}
	}
	return @v;
}

# Plain values: numbers as perl has them, texts as bytes.
sub plain {
	my ($in, $n, $leaf) = @_;
	my $type = $leaf->{type};
	return map { $_ } unpacked(bytes($in, int(($n + 7) / 8)), $n, 1) if $type == 0;
	return unpack 'l<*', bytes($in, 4 * $n) if $type == 1;
	return unpack 'q<*', bytes($in, 8 * $n) if $type == 2;
	return unpack 'f<*', bytes($in, 4 * $n) if $type == 4;
	return unpack 'd<*', bytes($in, 8 * $n) if $type == 5;
	return map { bytes($in, unsigned_at(bytes($in, 4), 0, 4)) } 1 .. $n if $type == 6;
	return map { bytes($in, $leaf->{size}) } 1 .. $n if $type == 7;
	die "type $type\n";
}

# ---- the schema ----

sub tree {
	my ($elements, $leaves, $path, $d, $r) = @_;
	my $e = shift @$elements or die "the schema is cut\n";
	my %node = (name => $e->{4}, repetition => $e->{3} // 0, type => $e->{1}, size => $e->{2}, converted => $e->{6},
		    logical => $e->{10}, path => [@$path, $e->{4}]);
	$d++ if $node{repetition};
	$r++ if $node{repetition} == 2;
	@node{'d', 'r'} = ($d, $r);
	if (exists $e->{5}) {
		die "$e->{4}: a group without members\n" unless $e->{5};
		$node{child} = [map { tree($elements, $leaves, $node{path}, $d, $r) } 1 .. $e->{5}];
		my %seen;
		$seen{$_->{name}}++ && die "$_->{name} twice\n" for @{$node{child}};
	} else {
		push @$leaves, \%node;
	}
	return \%node;
}

sub is_unsigned { my ($leaf) = @_; my $i = ($leaf->{logical} // {})->{10}; return $i && !$i->{2} }

sub order {
	my ($leaf, $a, $b) = @_;
	return $a cmp $b if $leaf->{type} >= 6;
	return $a <=> $b;
}

# Signed numbers of the file as the numbers they mean.
sub meant {
	my ($leaf, $v) = @_;
	return $v unless is_unsigned($leaf) && $v < 0;
	return $leaf->{type} == 1 ? unpack('L', pack 'l', $v) : unpack('Q', pack 'q', $v);
}

sub bound_of {
	my ($leaf, $bytes) = @_;
	my $in = { text => $leaf->{type} == 6 ? pack('V/a', $bytes) : $bytes, at => 0 };
	my ($v) = plain($in, 1, $leaf);
	return meant($leaf, $v);
}

# ---- the file ----

# The bodies of pages, unpacked all at once.
sub unpack_all {
	my ($pages) = @_;
	return unless @$pages;
	my $folder = tempdir(CLEANUP => 1);
	for my $i (0 .. $#$pages) {
		open my $f, '>:raw', "$folder/$i.zst" or die;
		print $f $pages->[$i]{body};
		close $f;
	}
	system("cd '$folder' && find . -name '*.zst' -exec zstd -dq --rm {} +") == 0 or die "zstd fails\n";
	for my $i (0 .. $#$pages) {
		open my $f, '<:raw', "$folder/$i" or die;
		local $/;
		$pages->[$i]{body} = <$f>;
	}
}

# Whether the statistics say what is true of the values.
sub check_bounds {
	my ($what, $leaf, $least, $greatest, $exact, $values) = @_;
	my @v = map { meant($leaf, $_) } @$values;
	my ($low, $high) = (bound_of($leaf, $least), bound_of($leaf, $greatest));
	my ($met_low, $met_high);
	for (@v) {
		die "$what: $_ is below the least\n" if order($leaf, $_, $low) < 0;
		die "$what: $_ is above the greatest\n" if order($leaf, $_, $high) > 0;
		$met_low ||= order($leaf, $_, $low) == 0;
		$met_high ||= order($leaf, $_, $high) == 0;
	}
	die "$what: the bounds are of no value\n" unless @v;
	die "$what: the bounds are not exact\n" if $exact && !($met_low && $met_high);
	return ($low, $high);
}

sub read_chunk {
	my ($text, $leaf, $chunk, $rows, $todo) = @_;
	my $meta = $chunk->{3};
	my $at = $meta->{11} // $meta->{9};
	my $in = { text => $text, at => $at };
	my @pages;
	my ($entries, $unpacked) = (0, 0);

	die "path of " . join('.', @{$meta->{3}}) . "\n" unless join("\0", @{$meta->{3}}) eq join("\0", @{$leaf->{path}}[1 .. $#{$leaf->{path}}]);
	while ($in->{at} < $at + $meta->{7}) {
		my $begin = $in->{at};
		my $head = thrift_struct($in);
		my $own = $head->{5} // $head->{7} or die "a page without a header of its own\n";
		$unpacked += $in->{at} - $begin + $head->{2};
		push @pages, { head => $head, own => $own, begin => $begin, body => bytes($in, $head->{3}), size => $in->{at} - $begin };
		$entries += $own->{1} unless $head->{1} == 2;
		push @$todo, $pages[-1] if $meta->{4} == 6;
	}
	die "sizes of the chunk\n" unless $in->{at} == $at + $meta->{7} && $unpacked == $meta->{6};
	die "$entries entries, not $meta->{5}\n" unless $entries == $meta->{5};
	my ($first) = grep { $_->{head}{1} == 0 } @pages;
	die "the first data page is elsewhere\n" unless $first && $first->{begin} == $meta->{9};
	return { leaf => $leaf, meta => $meta, chunk => $chunk, pages => \@pages, rows => $rows };
}

# The entries of a chunk: [r, d, value] each.
sub decode_chunk {
	my ($text, $c) = @_;
	my ($leaf, $meta) = @$c{'leaf', 'meta'};
	my (@dictionary, @entries, @data, %encodings, @chunk_values);
	my $what = join '.', @{$leaf->{path}};

	for my $page (@{$c->{pages}}) {
		my $in = { text => $page->{body}, at => 0 };
		my $n = $page->{own}{1};
		die "$what: a page of another size\n" unless length $page->{body} == $page->{head}{2};
		if ($page->{head}{1} == 2) {
			die "$what: a dictionary in another place\n" if @data || @dictionary;
			@dictionary = plain($in, $n, $leaf);
			$encodings{0} = 1;
			die "$what: the dictionary has more\n" if $in->{at} != length $in->{text};
			next;
		}
		my (@r, @d);
		for ([\@r, $leaf->{r}], [\@d, $leaf->{d}]) {
			my ($levels, $most) = @$_;
			$encodings{3} = 1 if $most;
			my $sub = { text => $most ? bytes($in, unsigned_at(bytes($in, 4), 0, 4)) : '', at => 0 };
			@$levels = $most ? hybrid($sub, $n, length sprintf '%b', $most) : (0) x $n;
			die "$what: levels have more\n" if $sub->{at} != length $sub->{text};
			$_ > $most && die "$what: level $_\n" for @$levels;
		}
		die "$what: a page begins within a row\n" if @r && $r[0];
		my $count = grep { $_ == $leaf->{d} } @d;
		my $encoding = $page->{own}{2};
		my @v;
		$encodings{$encoding} = 1;
		if ($encoding == 8) {
			my $bits = byte($in);
			my @codes = hybrid($in, $count, $bits);
			$_ > $#dictionary && die "$what: code $_\n" for @codes;
			@v = @dictionary[@codes];
		} elsif ($encoding == 5) {
			@v = differences($in, $count, $leaf->{type} == 2);
		} else {
			die "$what: encoding $encoding\n" if $encoding;
			@v = plain($in, $count, $leaf);
		}
		die "$what: the page has more\n" if $in->{at} != length $in->{text};
		push @data, { page => $page, row => scalar(grep { !$_->[0] } @entries), nulls => $n - $count, values => [@v] };
		push @chunk_values, @v;
		push @entries, [$r[$_], $d[$_], $d[$_] == $leaf->{d} ? meant($leaf, shift @v) : undef] for 0 .. $n - 1;
	}
	die "$what: " . grep({ !$_->[0] } @entries) . " rows, not $c->{rows}\n" if grep({ !$_->[0] } @entries) != $c->{rows};
	die "$what: encodings @{$meta->{2}}, met " . join(' ', sort keys %encodings) . "\n"
		unless join(' ', sort @{$meta->{2}}) eq join(' ', sort keys %encodings);
	# What is said of all values.
	my $s = $meta->{12};
	my $nan = grep { $leaf->{type} =~ /[45]/ && $_ != $_ } @chunk_values;
	die "$what: $s->{3} nulls\n" unless $s->{3} == @entries - @chunk_values;
	die "$what: NaN and bounds\n" if $nan && exists $s->{5};
	die "$what: no bounds\n" if !exists $s->{5} && @chunk_values && !$nan && $leaf->{type} < 6;
	check_bounds($what, $leaf, $s->{6}, $s->{5}, $s->{7} && $s->{8}, \@chunk_values) if exists $s->{5};
	if ($leaf->{type} == 6 && ($leaf->{converted} // -1) == 0) {
		for (@chunk_values) { my $copy = $_; utf8::decode($copy) or die "$what: invalid UTF-8\n" }
	}
	check_index($text, $c, $what, \@data);
	return \@entries;
}

sub check_index {
	my ($text, $c, $what, $data) = @_;
	my $chunk = $c->{chunk};
	my $offsets = thrift_struct({ text => substr($text, $chunk->{4}, $chunk->{5}), at => 0 })->{1};
	die "$what: pages of the index\n" unless @$offsets == @$data;
	for my $i (0 .. $#$data) {
		my ($o, $d) = ($offsets->[$i], $data->[$i]);
		die "$what: place of page $i\n" unless $o->{1} == $d->{page}{begin} && $o->{2} == $d->{page}{size} && $o->{3} == $d->{row};
	}
	return unless $chunk->{7};
	my $index = thrift_struct({ text => substr($text, $chunk->{6}, $chunk->{7}), at => 0 });
	my (@low, @high);
	for my $i (0 .. $#$data) {
		my $d = $data->[$i];
		die "$what: nulls of page $i\n" unless $index->{5}[$i] == $d->{nulls} && $index->{1}[$i] == !@{$d->{values}};
		next if $index->{1}[$i];
		my ($low, $high) = check_bounds("$what: page $i", $c->{leaf}, $index->{2}[$i], $index->{3}[$i], 0, $d->{values});
		push @low, $low;
		push @high, $high;
	}
	my ($up, $down) = (1, 1);
	for my $list (\@low, \@high) {
		for (1 .. $#$list) {
			my $order = order($c->{leaf}, $list->[$_ - 1], $list->[$_]);
			$up = 0 if $order > 0;
			$down = 0 if $order < 0;
		}
	}
	die "$what: order of the pages\n" unless $index->{4} == ($up ? 1 : $down ? 2 : 0);
}

# The value of a node from the entries of its leaves, up to the next one at level $r.
sub assemble {
	my ($node, $queues, $r, $d) = @_;
	my @leaves = @{$node->{leaves}};
	my $first = $queues->[$leaves[0]];

	if ($first->[0][1] < $node->{d} && $node->{repetition} == 1) {
		shift @{$queues->[$_]} for @leaves;
		return undef;
	}
	return (shift @$first)->[2] unless $node->{child};
	if (($node->{converted} // -1) == 3) {
		my $list = $node->{child}[0];
		my @items;
		if ($first->[0][1] < $list->{d}) {
			shift @{$queues->[$_]} for @leaves;
			return [];
		}
		do { push @items, assemble($list->{child}[0], $queues, $list->{r}) } while @$first && $first->[0][0] == $list->{r};
		return \@items;
	}
	my %group;
	$group{$_->{name}} = assemble($_, $queues, $r) for @{$node->{child}};
	return \%group;
}

sub number_leaves {
	my ($node, $next) = @_;
	return $node->{leaves} = [$$next++] unless $node->{child};
	return $node->{leaves} = [map { @{number_leaves($_, $next)} } @{$node->{child}}];
}

# { columns => names, rows => [ { name => value } ], notes => { key => value }, groups, codecs, encodings }
sub parquet {
	my ($path) = @_;
	open my $f, '<:raw', $path or die "$path: $!\n";
	my $text = do { local $/; <$f> };
	die "no Parquet file\n" unless length $text >= 12 && substr($text, 0, 4) eq 'PAR1' && substr($text, -4) eq 'PAR1';
	my $size = unsigned_at($text, length($text) - 8, 4);
	my $in = { text => substr($text, -8 - $size, $size), at => 0 };
	my $footer = thrift_struct($in);
	die "the footer has more\n" if $in->{at} != $size;
	my @leaves;
	my @elements = @{$footer->{2}};
	my $root = tree(\@elements, \@leaves, [], 0, 0);
	die "the schema has more\n" if @elements;
	die "orders of columns\n" unless @{$footer->{7}} == @leaves;
	my $n = 0;
	number_leaves($root, \$n);
	my (@rows, %encodings, %codecs);
	my @todo;
	my @groups;
	for my $group (@{$footer->{4}}) {
		die "columns of a row group\n" unless @{$group->{1}} == @leaves;
		my $sum = 0;
		my @chunks = map { read_chunk($text, $leaves[$_], $group->{1}[$_], $group->{3}, \@todo) } 0 .. $#leaves;
		$sum += $_->{meta}{6} for @chunks;
		die "size of a row group\n" unless $sum == $group->{2};
		push @groups, \@chunks;
	}
	unpack_all(\@todo);
	for my $chunks (@groups) {
		my @queues = map { decode_chunk($text, $_) } @$chunks;
		for my $c (@$chunks) {
			$encodings{$_}++ for @{$c->{meta}{2}};
			$codecs{$c->{meta}{4}}++;
		}
		for (1 .. $chunks->[0]{rows}) {
			my %row;
			for my $node (@{$root->{child}}) {
				$row{$node->{name}} = assemble($node, \@queues, 0);
			}
			push @rows, \%row;
		}
		@$_ && die "entries are left\n" for @queues;
	}
	die "$footer->{3} rows\n" unless $footer->{3} == @rows;
	return { columns => [map { $_->{name} } @{$root->{child}}], nodes => { map { $_->{name} => $_ } @{$root->{child}} }, rows => \@rows,
		 notes => { map { $_->{1} => $_->{2} } @{$footer->{5} // []} }, groups => scalar @groups,
		 encodings => \%encodings, codecs => \%codecs, creator => $footer->{6} };
}

1;
