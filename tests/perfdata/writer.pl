# writer.pl - small files of perf, of every kind, for tests
#
#   perf(%options)	the bytes of a file, and its events as tnav should show them
#
# big_endian, pipe, packed (records in a stream of zstd, of blocks as they are), killed (no size, no features), identifier
# (ids first, instead of after the address), clock (mono, with its distance to the wall clock), late (a record of the first
# round at the end), guest (samples in a guest, and what a perf in a guest recorded), extra (bytes at the end of the data).
use strict;
use warnings;
no warnings 'portable';	# numbers of 64 bits

my $e;	# '<' or '>'

sub u16 { pack "S$e", $_[0] }
sub u32 { pack "L$e*", @_ }
sub u64 { pack "Q$e*", @_ }

sub padded {
	my ($text, $to) = @_;

	$text .= "\0" x ($to - length($text) % $to);
	return $text;
}

sub record { my ($type, $misc, $body) = @_; return u32($type) . u16($misc) . u16(8 + length $body) . $body; }

my %bit = (ip => 0, tid => 1, time => 2, addr => 3, read => 4, chain => 5, id => 6, cpu => 7, period => 8, stream => 9, raw => 10,
	branch => 11, regs => 12, stack => 13, weight => 14, src => 15, identifier => 16, transaction => 17, intr => 18, phys => 19,
	aux => 20, cgroup => 21, data_page => 22, code_page => 23);

sub attr {
	my ($type, $config, $read, $clock, @has) = @_;
	my $sample = 0;
	my @flags = (18, 23, $clock ? 25 : ());
	my $flags = 0;

	$sample |= 1 << $bit{$_} for @has;
	# The first bit field of C is the highest one on big-endian machines.
	$flags |= 1 << ($e eq '>' ? 63 - $_ : $_) for @flags;
	return u32($type, 128) . u64($config, 1, $sample, $read, $flags) . u64(0) x 3 . u64(0) . u64(0b1011) . u32(0, 1) . u64(0b1) .
		u64(0) x 3;
}

sub format_text {
	my ($name, $id, @fields) = @_;
	my $at = 8;
	my $text = "name: $name\nID: $id\nformat:\n" .
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" .
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" .
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" .
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

	for my $field (@fields) {
		my ($declaration, $size, $signed) = @$field;

		$text .= "\tfield:$declaration;\toffset:$at;\tsize:$size;\tsigned:$signed;\n";
		$at += $size;
	}
	return $text . "\nprint fmt: \"\"\n";
}

sub tracing {
	my @system = (sched => [format_text('sched_switch', 300, ['char prev_comm[8]', 8, 0], ['pid_t prev_pid', 4, 1], ['int prev_prio', 4, 1],
			['long prev_state', 8, 1], ['char next_comm[8]', 8, 0], ['pid_t next_pid', 4, 1], ['int next_prio', 4, 1])],
		test => [format_text('text', 301, ['__data_loc char[] what', 4, 1], ['int n', 4, 1])],
		ftrace => [format_text('print', 302, ['unsigned long ip', 8, 0], ['char buf[]', 0, 0])]);
	my $out = "\x17\x08\x44tracing0.6\0" . ($e eq '>' ? "\1" : "\0") . "\x08" . u32(4096) . "header_page\0" . u64(4) . "none" .
		"header_event\0" . u64(4) . 'none' . u32(0) . u32(@system / 2);

	while (my ($system, $texts) = splice @system, 0, 2) {
		$out .= "$system\0" . u32(scalar @$texts);
		$out .= u64(length) . $_ for @$texts;
	}
	return $out . u32(0) . u32(0) . u64(0);
}

sub sized { my $text = padded($_[0], 64); return u32(length $text) . $text; }

# A piece of a stream of zstd that is never ended.
sub packed {
	my ($bytes, $first) = @_;
	my $out = $first ? "\x28\xb5\x2f\xfd\x00\x58" : '';

	for (my $at = 0; $at < length $bytes; $at += 4000) {
		my $block = substr $bytes, $at, 4000;

		$out .= substr(pack('L<', length($block) << 3), 0, 3) . $block;
	}
	return $out;
}

sub perf {
	my (%o) = @_;

	$e = $o{big_endian} ? '>' : '<';
	my @head = $o{identifier} ? ('identifier') : ();
	my @id = $o{identifier} ? () : ('id');
	my @attr = (
		[attr(2, 300, 4, $o{clock}, @head, @id, qw(ip tid time cpu period raw)), [11, 12], 'sched:sched_switch'],
		[attr(2, 301, 4, $o{clock}, @head, @id, qw(ip tid time cpu period raw chain)), [21], 'test:text'],
		[attr(1, 0, 4, $o{clock}, @head, @id, qw(ip tid time cpu period chain)), [31, $o{guest} ? 61 : ()], 'cpu-clock'],
		[attr(0, 0, 4 + 8, $o{clock}, @head, @id, qw(ip tid time cpu period read raw branch regs stack weight src transaction intr phys
			aux cgroup data_page code_page)), [41], 'everything'],
	);
	push @attr, [attr(2, 302, 4, $o{clock}, @head, @id, qw(ip tid time cpu period raw)), [51], 'ftrace:print'] if $o{texts};
	my (@events, %round);

	# The parts of a sample that all have, and the trailer of other records.
	my $start = sub {
		my ($id, $ip, $pid, $tid, $time, $cpu, $period) = @_;

		return ($o{identifier} ? u64($id) : '') . u64($ip) . u32($pid, $tid) . u64($time) . ($o{identifier} ? '' : u64($id)) .
			u32($cpu, 0) . u64($period);
	};
	my $trailer = sub {
		my ($id, $pid, $tid, $time, $cpu) = @_;

		return u32($pid, $tid) . u64($time) . ($o{identifier} ? '' : u64($id)) . u32($cpu, 0) . ($o{identifier} ? u64($id) : '');
	};
	my $add = sub {
		my ($round, $bytes, $time, $name, $want) = @_;

		$round{$round} .= $bytes;
		push @events, { time => $time, name => $name, %$want } if defined $name;
	};
	my $raw = sub { my ($bytes) = @_; my $n = (length($bytes) + 4 + 7 & ~7) - 4; $bytes .= "\0" x ($n - length $bytes); return u32($n) . $bytes; };
	my $comm = sub {
		my ($round, $time, $tid, $name) = @_;

		$add->($round, record(3, 0, u32(7, $tid) . padded($name, 8) . $trailer->(11, 7, $tid, $time, 0)), $time,
			$time ? 'perf:comm' : undef, { tid => $tid, comm => $name });
	};
	my $switch = sub {
		my ($round, $time, $cpu, $from, $from_name, $to, $comm) = @_;
		my $fields = { prev_comm => $from_name, prev_pid => $from, prev_prio => -5, prev_state => 1, next_comm => 'next', next_pid => $to,
			next_prio => 120 };
		my $bytes = u16(300) . "\1\2" . u32($from) . padded($from_name, 8) . u32($from) . pack("l$e", -5) . u64(1) . padded('next', 8) .
			u32($to, 120);

		$add->($round, record(9, 2, $start->(11 + $cpu, 0xffffffff81000000, 7, $from, $time, $cpu, 1) . $raw->($bytes)), $time,
			'sched:sched_switch', { tid => $from, cpu => $cpu, comm => $comm, fields => $fields });
	};

	# Records that perf made up are before the first round; the two buffers of a round are not in order.
	$comm->(0, 0, 7, 'old');
	$switch->(0, 1000 + 10 * $_, 0, 7, 'x', 8, 'old') for 1 .. 3;
	$comm->(0, 1035, 7, 'new');
	$add->(0, record(7, 0, u32(7, 7, 9, 7) . u64(1036) . $trailer->(11, 7, 7, 1036, 0)), 1036, 'perf:fork',
		{ tid => 7, comm => 'new', child_tid => 9 });
	$switch->(0, 1040, 0, 9, 'y', 8, 'new');
	$switch->(0, 1005 + 10 * $_, 1, 7, 'z', 0, $_ < 3 ? 'old' : 'new') for 1 .. 3;
	$add->(1, record(9, 2, $start->(21, 0x1234, 7, 9, 2000, 1, 3) . u64(3, 0xffffffffffffff80, 0xffffffff81000001, 0x5555) .
		$raw->(u16(301) . "\0\0" . u32(9) . u32(16 | 6 << 16) . u32(77) . "hello\0")), 2000, 'test:text',
		{ tid => 9, cpu => 1, comm => 'new', callchain => [0xffffffffffffff80, 0xffffffff81000001, 0x5555], fields => { what => 'hello', n => 77 } });
	$add->(1, record(2, 0, u64(11, 5) . $trailer->(11, 7, 7, 2010, 0)));
	$add->(1, record(9, 2, $start->(31, 0x77, 7, 7, 2020, 0, 500000) . u64(2, 0xfffffffffffffe00, 0x99)), 2020, 'cpu-clock',
		{ tid => 7, cpu => 0, comm => 'new', period => 500000, fields => { callchain => [0xfffffffffffffe00, 0x99] } });
	$add->(1, record(9, 2, $start->(41, 0x78, 7, 12, 2030, 1, 2) . u64(2, 100, 41, 200, 42) . $raw->('abcd') . u64(1, 0x10, 0x20, 3) .
		u64(2, 51, 52, 53) . u64(8) . 'stackbyt' . u64(6) . u64(61, 62, 63) . u64(0) . u64(71, 72, 73, 74) . u64(8) . 'wxyzwxyz'),
		2030, 'everything', { tid => 12, cpu => 1, comm => '<...>', fields => { counters => [{ value => 100, id => 41 },
			{ value => 200, id => 42 }], weight => 61, data_src => 62, transaction => 63, phys_addr => 71, cgroup => 72,
			data_page_size => 73, code_page_size => 74, user_stack_size => 6,
			branches => [{ from => 0x10, to => 0x20, flags => 3 }], user_registers => [51, 52, 53] } });
	if ($o{guest}) {
		my $kernel = 0xffffffff81000001;
		my $mapped = sub { my ($pid, $name) = @_; return u32($pid, $pid) . u64(0x1000, 0x2000, 0) . "\0" x 24 . u32(5, 2) . padded($name, 8) };

		$add->(1, record(9, 4, $start->(31, $kernel, 7, 7, 2021, 0, 1) . u64(2, 0xffffffffffffff80, $kernel)), 2021, 'cpu-clock',
			{ tid => 7, comm => 'new', guest_ip => $kernel, fields => { guest_callchain => [0xffffffffffffff80, $kernel] } });
		$add->(1, record(9, 2, $start->(31, 0x77, 7, 7, 2022, 0, 1) . u64(4, 0xfffffffffffff800, $kernel, 0xfffffffffffffe00, 0x99)),
			2022, 'cpu-clock', { tid => 7, ip => 0x77 });
		$add->(1, record(10, 4, $mapped->(7, '/bin/y') . $trailer->(11, 7, 7, 2023, 0)), 2023, 'perf:guest_mmap2', { pid => 7 });
		$add->(1, record(3, 0, u32(7, 7) . padded('inside', 8) . $trailer->(61, 7, 7, 2024, 0)), 2024, 'perf:guest_comm',
			{ guest_tid => 7, comm => 'inside' });
		$add->(1, record(9, 5, $start->(61, 0x1010, 7, 7, 2025, 0, 1) . u64(0)), 2025, 'cpu-clock', { guest_tid => 7, guest_ip => 0x1010 });
		$add->(1, record(10, 5, $mapped->(7, '/bin/z') . $trailer->(61, 7, 7, 2026, 0)), 2026, 'perf:guest_mmap2', { guest_pid => 7 });
	}
	$add->(1, record(5, 0, u64(2040, 11, 1) . $trailer->(11, 7, 7, 2040, 0)), 2040, 'perf:throttle', { tid => 7, throttle_id => 11 });
	$add->(1, record(14, 1 << 13, $trailer->(11, 7, 7, 2050, 0)), 2050, 'perf:switch_out', { tid => 7 });
	$add->(1, record(11, 0, u64(1, 2, 3) . $trailer->(11, 7, 7, 2060, 0)), 2060, 'perf:aux', { aux_size => 2 });
	$add->(1, record(10, 2, u32(7, 7) . u64(0x1000, 0x2000, 0) . "\0" x 24 . u32(5, 2) . padded('/bin/x', 8) .
		$trailer->(11, 7, 7, 2070, 0)), 2070, 'perf:mmap2', { addr => 0x1000, filename => '/bin/x', prot => 5, comm => 'new' });
	$add->(1, record(200, 0, 'unknown!'));
	$switch->(2, 3000 + $_, 0, 7, 'x', 8, 'new') for 1 .. ($o{many} // 3);
	$switch->(2, 1001, 1, 7, 'x', 8, 'old') if $o{late};
	$add->(2, record(9, 2, $start->(51, 0x77, 7, $_->[1], $_->[0], 0, 1) . $raw->(u16(302) . "\0\0" . u32($_->[1]) . u64(0x77) . "$_->[2]\n\0")),
		$_->[0], 'ftrace:print', { tid => $_->[1], fields => { ip => 0x77, buf => $_->[2] } }) for @{$o{texts} // []};
	$round{2} .= $o{extra} // '';

	@events = sort { $a->{time} <=> $b->{time} } @events;
	my $data = '';
	my @rounds = map { $round{$_} . record(68, 0, '') } 0 .. 2;
	if ($o{packed}) {
		my $first = 1;

		for my $round (@rounds) {
			for (my $at = 0; $at < length $round; $at += 3000) {
				my $piece = packed(substr($round, $at, 3000), $first);

				$first = 0;
				$data .= u32(81) . u16(0) . u16(8 + length $piece) . $piece;
			}
		}
	} else {
		$data = join '', @rounds;
	}

	# The perf of the guest has id 61.
	$data = record(69, 0, u64(2, 31, 0, 0, 7, 61, 0, 1, 9) . u64(0, 0, 4242, 1)) . $data if $o{guest};

	my %feature = (1 => tracing(), 3 => sized('box'), 4 => sized('6.1.0'), 5 => sized('6.1.99'), 6 => sized('x86_64'), 7 => u32(2, 2),
		11 => u32(2) . sized('perf') . sized('record'),
		12 => u32(scalar @attr, 128) . join('', map { $_->[0] . u32(scalar @{$_->[1]}) . sized($_->[2]) . u64(@{$_->[1]}) } @attr));
	$feature{27} = u32(1, 1, 1, 2, 4096) if $o{packed};
	$feature{18} = u64(0) if $o{aux};
	$feature{29} = u32(1, 1) . u64(1_795_000_000_000_000_000, 2_000_000_000_000) if $o{clock};

	if ($o{pipe}) {
		my $out = ($e eq '>' ? '2ELIFREP' : 'PERFILE2') . u64(16);

		$out .= record(64, 0, $_->[0] . u64(@{$_->[1]})) for @attr;
		for my $i (sort { $a <=> $b } keys %feature) {
			my $bytes = $feature{$i};

			# perf does not align the records after a feature.
			$bytes .= "\0" x (-length($bytes) % ($i == 3 ? 4 : 8));
			$out .= $i == 1 ? record(66, 0, u32(length $bytes, 0)) . $bytes : record(80, 0, u64($i) . $bytes);
		}
		return ($out . record(82, 0, '') . $data, \@events);
	}
	my $ids = join '', map { u64(@{$_->[1]}) } @attr;
	my $at = 104;
	my $attrs = '';
	for my $a (@attr) {
		$attrs .= $a->[0] . u64($at, 8 * @{$a->[1]});
		$at += 8 * @{$a->[1]};
	}
	my @flags = (0) x 4;
	$flags[$_ >> 6] |= 1 << $_ % 64 for keys %feature;
	my $data_at = 104 + length($ids) + length $attrs;
	my $out = ($e eq '>' ? '2ELIFREP' : 'PERFILE2') . u64(104, 144, 104 + length $ids, length $attrs, $data_at, $o{killed} ? 0 : length $data,
		0, 0, @flags) . $ids . $attrs . $data;
	return ($out, \@events) if $o{killed};
	my $place = length($out) + 16 * keys %feature;
	my ($table, $contents) = ('', '');
	for my $i (sort { $a <=> $b } keys %feature) {
		$table .= u64($place + length $contents, length $feature{$i});
		$contents .= $feature{$i};
	}
	return ($out . $table . $contents, \@events);
}

1;
