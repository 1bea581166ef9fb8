# writer.pl - small trace.dat files of every kind, with what must be read of them
#
#	require './writer.pl';
#	my ($bytes, $events) = dat(big_endian => 1, long => 4, version => 7, page => 1024, packing => 'zlib');
#
# texts => [[delta, pid, text]...]: only texts that programs wrote, in the place of all kinds of events.
#
# $events: [{ stream, cpu, time, name, pid, fields => { name => value } }], in the order of each stream. Written from the
# description of the format alone, with nothing of the reader.
use strict;
use warnings;
no warnings 'portable';
use Compress::Zlib ();

my ($be, $long, $small);	# of the file that is written; small: one format, one page

sub u8 { pack 'C', $_[0] & 0xff }
sub u16 { pack $be ? 'S>' : 'S<', $_[0] & 0xffff }
sub u32 { pack $be ? 'L>' : 'L<', $_[0] & 0xffffffff }
sub u64 { pack $be ? 'Q>' : 'Q<', $_[0] }
sub word { $long == 8 ? u64($_[0]) : u32($_[0]) }
sub text { my ($n, $s) = @_; pack "a$n", $s . "\0" . "\xaa" x $n }	# garbage behind the NUL

# ---- formats ----

my $common = <<'X';
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

X

# [declaration, offset, size, signed]...
sub format_text {
	my ($name, $id, $print, @fields) = @_;
	my $s = "name: $name\nID: $id\nformat:\n$common";

	$s .= sprintf "\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n", @$_ for @fields;
	return "$s\nprint fmt: $print\n";
}

sub formats {
	my $l = $long;
	my $a = 8 + $l;	# behind one word

	return ([test => format_text('d', 1, '"%x", REC->x', ['__data_loc char[] s', 8, 4, 0], ['u16 x', 12, 2, 0])]) if $small;
	return (
		[ftrace => format_text('print', 5, '"%ps: %s", (void *)REC->ip, REC->buf',
			['unsigned long ip', 8, $l, 0], ['char buf[]', $a, 0, 0])],
		[ftrace => format_text('kernel_stack', 4, '"\t=> %ps\n", (void *)REC->caller[0]',
			['int size', 8, 4, 1], ['unsigned long caller[8]', 16, 8 * $l, 0])],
		[ftrace => format_text('funcgraph_entry', 11, '"--> %ps (%u)", (void *)REC->func, REC->depth',
			['unsigned long func', 8, $l, 0], ['unsigned int depth', $a, 4, 0])],
		[ftrace => format_text('funcgraph_exit', 10, '"<-- %ps (%u)", (void *)REC->func, REC->depth',
			['unsigned long func', 8, $l, 0], ['unsigned int depth', $a, 4, 0], ['unsigned int overrun', $a + 4, 4, 0],
			['unsigned long long calltime', 32, 8, 0], ['unsigned long long rettime', 40, 8, 0])],
		[ftrace => format_text('raw_data', 19, '"id:%04x %08x", REC->id, (int)REC->buf[0]',
			['unsigned int id', 8, 4, 0], ['char buf[]', 12, 0, 0])],
		[sched => format_text('sched_switch', 300,
			'"%s:%d [%s%s] ==> %s", REC->prev_comm, REC->prev_pid, (REC->prev_state & ((((0x0 | 0x1 | 0x2) + 1) << 1) - 1)) ? ' .
			'__print_flags(REC->prev_state & ((((0x0 | 0x1 | 0x2) + 1) << 1) - 1), "|", { 0x00000001, "S" }, { 0x00000002, "D" }, ' .
			'{ 0x3, "both" }) : "R", (REC->prev_state & (((0x0 | 0x1 | 0x2) + 1) << 1)) ? "+" : "", REC->next_comm',
			['char prev_comm[16]', 8, 16, 0], ['pid_t prev_pid', 24, 4, 1], ['int prev_prio', 28, 4, 1],
			['long prev_state', 32, $l, 1], ['char next_comm[TASK_COMM_LEN]', 32 + $l, 16, 0],
			['pid_t next_pid', 48 + $l, 4, 1])],
		[test => format_text('dynamic', 301, '"%s %x", __get_str(text), REC->big',
			['u8 small', 8, 1, 0], ['__data_loc char[] text', 12, 4, 0], ['u64 big', 16, 8, 0],
			['__data_loc u32[] list', 24, 4, 0], ['__rel_loc char[] rel', 28, 4, 0], ['const char * pointer', 32, $l, 0])],
		[test => format_text('arrays', 302, '"%s %d", __print_symbolic(REC->kind, { 1, "one" }, { (1 << 4) | 2, "eighteen" }, ' .
			'{ NO_SUCH, "none" }), REC->neg',
			['unsigned long args[3]', 8, 3 * $l, 0], ['u8 mac[6]', 8 + 3 * $l, 6, 0], ['s16 neg', 14 + 3 * $l, 2, 1],
			['int kind', 16 + 3 * $l, 4, 1], ['bool yes', 20 + 3 * $l, 1, 0], ['struct thing thing', 24 + 3 * $l, 12, 0])],
		[test => format_text('overlapping', 400, '""', ['int a', 8, 4, 1], ['int b', 10, 4, 1])],
	);
}

# ---- events ----

sub head {
	my ($id, $pid) = @_;
	return u16($id) . u8(0x05) . u8(0x21) . u32($pid);
}

# Each: [system:name, pid, record, { field => value }]
sub print_event {
	my ($s, $pid) = @_;
	$pid //= 77;
	return ['ftrace:print', $pid, head(5, $pid) . word(0x1234) . "$s\n\0", { ip => 0x1234, buf => $s }];
}

sub switch_event {
	my ($pid, $state) = @_;
	return ['sched:sched_switch', $pid,
		head(300, $pid) . text(16, 'a task') . u32($pid) . u32(-5) . word($state) . text(16, 'sixteen bytes...') . u32(9),
		{ prev_comm => 'a task', prev_pid => $pid, prev_prio => -5, prev_state => $state, next_comm => 'sixteen bytes...',
		  next_pid => 9 }];
}

sub dynamic_event {
	my ($s) = @_;
	my $fixed = 32 + $long;
	my $rel = 'relative';
	my $list = join '', map { u32($_) } 7, 8, 4000000000;
	my $at = $fixed + length($s) + 1;

	$at += -$at % 4;
	my $r = head(301, 42) . u8(200) . "\xee\xee\xee" . u32($fixed | (length($s) + 1) << 16) . u64(0x123456789abcdef0)
		. u32($at | 12 << 16) . u32(($at + 12 - 32) | (length($rel) + 1) << 16) . word(0x7fff0000);
	$r .= "$s\0";
	$r .= "\xbb" x ($at - length $r) . $list . "$rel\0";
	return ['test:dynamic', 42, $r, { small => 200, text => $s, big => 0x123456789abcdef0, list => [7, 8, 4000000000], rel => $rel,
		pointer => 0x7fff0000 }];
}

sub arrays_event {
	my ($kind) = @_;
	return ['test:arrays', -1, head(302, -1) . word(1) . word(2) . word(0x80000000) . pack('C6', 1 .. 6) . u16(-2) . u32($kind)
		. u8(1) . "\xcc" x 3 . 'abcdefghijkl', { args => [1, 2, 0x80000000], mac => [1 .. 6], neg => -2, kind => $kind, yes => 1 }];
}

sub stack_event {
	my ($n) = @_;
	return ['ftrace:kernel_stack', 3, head(4, 3) . u32($n) . "\0" x 4 . join('', map { word(0x1000 + $_) } 1 .. $n),
		{ size => $n, caller => [map { 0x1000 + $_ } 1 .. $n] }];
}

sub graph_events {
	return (['ftrace:funcgraph_entry', 8, head(11, 8) . word(0xabc0) . u32(2), { func => 0xabc0, depth => 2 }],
		['ftrace:funcgraph_exit', 8, head(10, 8) . word(0xabc0) . u32(2) . u32(0) . "\0" x (24 - 16 - $long + 8) . u64(100) . u64(250),
		 { func => 0xabc0, depth => 2, overrun => 0, calltime => 100, rettime => 250 }]);
}

sub raw_event { ['ftrace:raw_data', 5, head(19, 5) . u32(0x201) . 'four', { id => 0x201, buf => 'four' }] }
sub bytes_event { ['test:overlapping', 6, head(400, 6) . 'some', { data => [map { ord } split //, 'some'] }] }
sub unknown_event { ['unknown', 6, head(999, 6) . 'more', { data => [map { ord } split //, 'more'] }] }

sub head_word {
	my ($type_len, $delta) = @_;
	return u32($be ? $type_len << 27 | $delta : $delta << 5 | $type_len);
}

sub event_bytes {
	my ($delta, $record) = @_;

	$record .= "\xdd" x (-length($record) % 4);
	return head_word(length($record) / 4, $delta) . $record if length $record <= 112;
	return head_word(0, $delta) . u32(length($record) + 4) . $record;
}

# A page with all that may be between events. $lost: undef, 'some' or a number.
sub page {
	my ($size, $time, $lost, @items) = @_;
	my ($data, $now, @events) = ('', $time);

	for my $item (@items) {
		my ($what, @rest) = @$item;

		if ($what eq 'event') {
			my ($delta, $event) = @rest;

			$now += $delta;
			$data .= event_bytes($delta, $event->[2]);
			push @events, { time => $now, name => $event->[0], pid => $event->[1], fields => $event->[3] };
		} elsif ($what eq 'extend') {
			$data .= head_word(30, $rest[0] & 0x7ffffff) . u32($rest[0] >> 27);
			$now += $rest[0];
		} elsif ($what eq 'stamp') {	# the highest five bits stay
			$data .= head_word(31, $rest[0] & 0x7ffffff) . u32($rest[0] >> 27 & 0xffffffff);
			$now = ($now & 31 << 59) | ($rest[0] & (1 << 59) - 1);
		} elsif ($what eq 'discarded') {
			$data .= head_word(29, $rest[0]) . u32(12) . 'gone....';
			$now += $rest[0];
		} elsif ($what eq 'padding') {
			$data .= head_word(29, 0) . u32(0);
		} else {
			$data .= $rest[0];
		}
	}
	my $flags = !defined $lost ? 0 : $lost eq 'some' ? 1 << 31 : 3 << 30;
	my $low = length($data) | $flags;
	my $commit = $long == 4 ? u32($low) : u64(0xffffffff00000000 | $low);
	my $out = u64($time) . $commit . $data . (defined $lost && $lost ne 'some' ? word($lost) : '');

	die "a page of $size bytes is too small for " . length($out) . "\n" if length $out > $size;
	return ($out . "\x5a" x ($size - length $out), \@events, defined $lost ? $lost eq 'some' ? -1 : $lost : 0);
}

# The pages of all streams: { "waits/cpu1" => [pages...] }, and their events.
sub pages {
	my ($size, $t, $texts) = @_;
	my %items = (
		'cpu0' => [
			[$t, undef, ['event', 0, print_event('begin of run')], ['event', 5, switch_event(100, 8)], ['extend', 5000000000],
			 ['event', 7, switch_event(101, 0)], ['discarded', 11], ['event', 1, dynamic_event('hello')], ['padding']],
			[$t + 6000000000, 171, ['extend', 1 << 28], ['event', 1, arrays_event(18)], ['event', 0, arrays_event(5)],
			 ['event', 3, raw_event()], ['event', 2, bytes_event()]],
			[$t + 7000000000, 'some', ['stamp', $t + 7000000100], ['event', 1, unknown_event()], ['event', 9, stack_event(11)]],
		],
		'cpu3' => [
			[$t + 3, undef, ['event', 0, dynamic_event('x' x 150)], map({ ['event', 4, $_] } graph_events()),
			 ['event', 0, print_event("two\nlines")], ['event', 1, print_event('')]],
		],
		'waits/cpu0' => [[$t + 1, undef, ['event', 0, switch_event(7, 3)]]],
	);
	%items = ('cpu0' => [[$t, 3, map({ ['event', $_, ['test:d', 42, head(1, 42) . u32(14 | 4 << 16) . u16(9) . "abc\0",
		{ s => 'abc', x => 9 }]] } 1 .. 3)]]) if $small;
	%items = ('cpu0' => [[$t, undef, map { ['event', $_->[0], print_event(@$_[2, 1])] } @$texts]]) if $texts;
	my (%pages, @events, %lost);

	for my $stream (sort keys %items) {
		my ($cpu) = $stream =~ /cpu(\d+)/;

		for my $item (@{$items{$stream}}) {
			my ($bytes, $events, $lost) = page($size, @$item);

			push @{$pages{$stream}}, $bytes;
			push @events, map { { %$_, stream => $stream, cpu => $cpu } } @$events;
			$lost{$stream} += $lost if $lost > 0;
		}
	}
	return (\%pages, \@events, \%lost);
}

# ---- compression ----

# A frame of zstd with blocks that are not compressed: what every reader of zstd takes.
sub zstd {
	my ($s) = @_;
	my $out = pack('L<', 0xFD2FB528) . pack('C', 0xa0) . pack('L<', length $s);

	for (my $at = 0; $at < length $s || $at == 0; $at += 65536) {
		my $part = substr $s, $at, 65536;

		$out .= substr pack('L<', length($part) << 3 | ($at + 65536 >= length $s)), 0, 3;
		$out .= $part;
	}
	return $out;
}

sub squeeze { my ($how, $s) = @_; return $how eq 'zlib' ? Compress::Zlib::compress($s) : zstd($s) }
sub packed { my ($how, $s) = @_; my $p = squeeze($how, $s); return u32(length $p) . u32(length $s) . $p }

# ---- files ----

sub header_texts {
	my $page = "field: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n" .
		sprintf("\tfield: local_t commit;\toffset:8;\tsize:%d;\tsigned:1;\n", $long) .
		"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n" .
		sprintf("\tfield: char data;\toffset:%d;\tsize:%d;\tsigned:0;\n", 8 + $long, 4096 - 8 - $long);
	return "header_page\0" . u64(length $page) . $page . "header_event\0" . u64(4) . 'none';
}

sub format_lists {
	my (@all) = formats();
	my @ftrace = grep { $_->[0] eq 'ftrace' } @all;
	my %systems;

	push @{$systems{$_->[0]}}, $_->[1] for grep { $_->[0] ne 'ftrace' } @all;
	my $list = sub { u32(scalar @_) . join '', map { u64(length) . $_ } @_ };
	return ($list->(map { $_->[1] } @ftrace),
		u32(scalar keys %systems) . join '', map { "$_\0" . $list->(@{$systems{$_}}) } sort keys %systems);
}

my $commands = "42 dyn\n77 printer of texts\n100 hundred\n";

sub sized { my ($width, $s) = @_; return ($width == 8 ? u64(length $s) : u32(length $s)) . $s }
sub option { my ($id, $s) = @_; return u16($id) . u32(length $s) . $s }

sub begin {
	my ($version, $page) = @_;
	return "\x17\x08\x44tracing$version\0" . u8($be) . u8($long) . u32($page);
}

sub align_to { my ($s, $to) = @_; return $s . "\0" x (-length($s) % $to) }

sub dat_6 {
	my ($o, $pages) = @_;
	my ($ftrace, $systems) = format_lists();
	my @top = map { join '', @{$pages->{"cpu$_"} // []} } 0 .. 3;
	my @waits = map { join '', @{$pages->{"waits/cpu$_"} // []} } 0 .. 3;
	my $s = begin(6, $o->{page}) . header_texts() . $ftrace . $systems . sized(4, '') . sized(4, '') . sized(8, $commands) . u32(4);
	# Sizes are the same whatever the offsets are: written once to know them, once with them.
	my $tail = sub {
		my ($at_waits, @offset) = @_;
		my $out = "options  \0" . join('', map { option(@$_) } @{$o->{options}}) . option(3, u64($at_waits) . "waits\0") . u16(0);

		$out .= "flyrecord\0" . join('', map { u64($offset[$_]) . u64(length $top[$_]) } 0 .. 3) . sized(8, 'local global [mono]');
		my $first = length($s) + length $out;
		$out .= "flyrecord\0" . join('', map { u64($offset[$_ + 4]) . u64(length $waits[$_]) } 0 .. 3) . sized(8, "[$o->{clock}]");
		return ($out, $first);
	};
	my ($try, $first) = $tail->(0, (0) x 8);
	my $at = length($s) + length $try;
	my (@offset, $data);

	$at += -$at % $o->{page};
	$data = '';
	for my $part (@top, @waits) {
		push @offset, $at + length $data;
		$data .= $part;
	}
	($try) = $tail->($first, @offset);
	return align_to($s . $try, $o->{page}) . $data;
}

sub dat_7 {
	my ($o, $pages) = @_;
	my ($ftrace, $systems) = format_lists();
	my $packing = $o->{packing};
	my $s = begin(7, $o->{page}) . ($packing ? "$packing\0" . "1.0\0" : "none\0\0");
	my $at_first = length $s;
	my @options = @{$o->{options}};
	my $section = sub {
		my ($id, $body, $plain) = @_;
		my $at = length $s;
		my $is_packed = $packing && !$plain;

		$body = packed($packing, $body) if $is_packed;
		$s .= u16($id) . u16($is_packed ? 1 : 0) . u32(0) . u64(length $body) . $body;
		return $at;
	};

	$s .= u64(0);
	my @parts = ([16, header_texts()], [17, $ftrace], [18, $systems], [19, sized(4, '')], [20, sized(4, '')], [21, sized(8, $commands)]);
	push @options, [$_->[0], u64($section->(@$_))] for @parts;
	# The second list of options has the buffers.
	my $first = $section->(0, join('', map { option(@$_) } @options) . option(0, u64(0)), 1);
	substr $s, $at_first, 8, u64($first);
	my @buffers;
	for my $name ('', 'waits') {
		my @cpus = grep { $pages->{($name ? "$name/" : '') . "cpu$_"} } 0 .. 3;
		my $at = length $s;
		my $list = '';

		$s .= u16(3) . u16($packing ? 1 : 0) . u32(0) . u64(0);
		for my $cpu (@cpus) {
			my @p = @{$pages->{($name ? "$name/" : '') . "cpu$cpu"}};
			my $data = join '', @p;

			# Two pages a chunk; sizes with or without the number of chunks, by the version of the writer.
			if ($packing) {
				my @chunks;
				push @chunks, packed($packing, join '', splice @p, 0, 2) while @p;
				$data = u32(scalar @chunks) . join '', @chunks;
			}
			$list .= u32($cpu) . u64(length $s) . u64(length($data) - ($packing && !$o->{counts_count} ? 4 : 0));
			$s .= $data;
		}
		push @buffers, [3, u64($at) . "$name\0" . ($name ? $o->{clock} : 'mono') . "\0" . u32($o->{page}) . u32(scalar @cpus) . $list];
	}
	my $second = $section->(0, join('', map { option(@$_) } @buffers) . option(0, u64(0)), 1);
	substr $s, $first + 16 + length(join '', map { option(@$_) } @options) + 6, 8, u64($second);
	return $s;
}

sub dat {
	my %o = (big_endian => 0, long => 8, version => 7, page => 4096, clock => 'mono', options => [], time => 1_000_000_000_000, @_);

	($be, $long, $small) = @o{'big_endian', 'long', 'small'};
	my ($pages, $events, $lost) = pages($o{page}, $o{time}, $o{texts});
	$o{options} = [[5, "Linux box 6.1.0 $o{machine}"], @{$o{options}}] if $o{machine};
	$_->[1] = $_->[1]->() for grep { ref $_->[1] } @{$o{options}};
	return ($o{version} == 6 ? dat_6(\%o, $pages) : dat_7(\%o, $pages), $events, $lost);
}

1;
