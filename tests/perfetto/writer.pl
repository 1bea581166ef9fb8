# writer.pl - small files of Perfetto, of every kind, for tests
#
#   perfetto_ftrace(%options), perfetto_tracks(%options)	the bytes of a file, and its events as tnav should show them
#
# Numbers of fields: perfetto.md.
use strict;
use warnings;
no warnings 'portable';	# numbers of 64 bits

sub varint {
	my ($v) = @_;
	my $out = '';

	# Negative numbers have ten bytes.
	for (my $n = 0; ; $n++) {
		my $low = $v & 0x7f;

		$v = ($v >> 7) & ((1 << 57) - 1);
		return $out . chr $low if !$v;
		$out .= chr($low | 0x80);
	}
}

sub num { my ($number, $v) = @_; return varint($number << 3) . varint($v); }
sub bytes { my ($number, @parts) = @_; my $b = join '', @parts; return varint($number << 3 | 2) . varint(length $b) . $b; }
sub fixed { my ($number, $v) = @_; return varint($number << 3 | 1) . pack 'Q<', $v; }
sub double { my ($number, $v) = @_; return varint($number << 3 | 1) . pack 'd<', $v; }
sub packet { return bytes(1, @_); }
# A column of differences, from 0.
sub deltas { my $last = 0; return join '', map { my $d = $_ - $last; $last = $_; varint($d) } @_; }

sub snapshot {
	my (%clocks) = @_;
	return bytes(6, map { bytes(1, num(1, $_), num(2, $clocks{$_})) } sort { $a <=> $b } keys %clocks);
}

our $marker = packet(num(10, 1), bytes(36, pack 'H*', '82477a76b28d42ba81dc33326d57a079'));

sub ftrace_event { my ($time, $pid, $number, @fields) = @_; return bytes(2, num(1, $time), num(2, $pid), bytes($number, @fields)); }

# Times are of boot; 1970 is at -5 s.
sub perfetto_ftrace {
	my (%o) = @_;
	my $base = 1_000_000_000;
	my @events;
	my $add = sub {
		my ($cpu, $time, $name, $tid, $process, %fields) = @_;
		push @events, { cpu => $cpu, time => $base + $time, name => $name, tid => $tid, process => $process, fields => \%fields };
	};
	my $out = packet(num(10, 1), snapshot(1 => $base + 5_000_000_000, 3 => $base - 400, 5 => $base - 900, 6 => $base));

	$out .= packet(num(10, 1), bytes(45, bytes(1, bytes(1, 'Linux'), bytes(3, '6.1.0'), bytes(4, 'x86_64')), bytes(4, 'Perfetto v9.9 (abc)')));
	$out .= packet(num(10, 1), bytes(34, num(1, 1), bytes(2, num(1, 1), num(3, 5)))) . $marker;
	# A bundle of both: events, and columns.
	my $sched = bytes(5, 'swapper/0') . bytes(5, 'shop') . bytes(5, 'bash') .
		bytes(1, deltas(map { $base + $_ } 20, 40, 60)) . bytes(2, map { varint($_) } 0, 1, 128) .
		bytes(3, map { varint($_) } 77, 0, 88) . bytes(4, map { varint($_) } 120, 120, -5) . bytes(6, map { varint($_) } 1, 0, 2) .
		bytes(7, deltas(map { $base + $_ } 15, 45)) . bytes(8, map { varint($_) } 77, 88) . bytes(9, map { varint($_) } 0, 1) .
		bytes(10, map { varint($_) } 120, 100) . bytes(11, map { varint($_) } 1, 2) . bytes(12, map { varint($_) } 1, 0);
	$out .= packet(bytes(1, num(1, 0),
		ftrace_event($base + 10, 5, 3, num(1, 0x1000), bytes(2, "hello\n")),
		ftrace_event($base + 30, 77, 329, num(1, 63), num(2, 3), num(2, 4)),
		ftrace_event($base + 31, 77, 330, num(1, 63), num(2, -11)),
		ftrace_event($base + 32, 77, 329, num(1, 64), bytes(2, map { varint($_) } 7, 300)),
		ftrace_event($base + 33, 77, 542, bytes(1, 'probe'), num(2, 1)),
		ftrace_event($base + 34, 77, 900, num(1, 5), bytes(2, 'text'), bytes(3, num(1, 7))),
		ftrace_event($base + 35, 77, 327, bytes(1, 'vendor'), bytes(2, bytes(1, 'x'), num(4, 9))),
		ftrace_event($base + 50, 99, 65536, bytes(1, 'name'), num(2, -3), num(3, 9), num(4, 5), num(9, 1)),
		bytes(4, $sched), num(77, 1)));
	$add->(0, 10, 'ftrace:print', 5, 'init', ip => 0x1000, buf => "hello\n");
	$add->(0, 15, 'sched:sched_waking', 5, 'init', comm => 'shop', pid => 77, prio => 120, target_cpu => 0);
	$add->(0, 20, 'sched:sched_switch', 5, 'init', prev_pid => 5, prev_state => 0, next_pid => 77, next_prio => 120, next_comm => 'shop');
	$add->(0, 30, 'raw_syscalls:sys_enter', 77, 'shop', id => 63, args => [3, 4]);
	$add->(0, 31, 'raw_syscalls:sys_exit', 77, 'shop', id => 63, ret => -11);
	$add->(0, 32, 'raw_syscalls:sys_enter', 77, 'shop', id => 64, args => [7, 300]);
	$add->(0, 33, 'kprobe_event', 77, 'shop', name => 'probe', type => 1);
	$add->(0, 34, 'ftrace:#900', 77, 'shop', fields => '1: 5, 2: "text", 3: {1: 7}');
	$add->(0, 35, 'generic', 77, 'shop', event_name => 'vendor');
	$add->(0, 40, 'sched:sched_switch', 77, 'shop', prev_pid => 77, prev_comm => 'shop', prev_state => 1, next_pid => 0, next_prio => 120,
	       next_comm => 'swapper/0');
	$add->(0, 45, 'sched:sched_waking', 0, 'swapper/0', comm => 'bash', pid => 88, prio => 100, target_cpu => 1);
	$add->(0, 50, 'mine:new_thing', 99, 'late', name => 'name', n => -3, odd => -5, when => 5);
	$add->(0, 60, 'sched:sched_switch', 99, 'late', prev_pid => 99, prev_state => 128, next_pid => 88, next_prio => -5, next_comm => 'bash');
	# The next bundle of the processor knows who runs. The kind 65536 is described by another processor.
	$out .= packet(bytes(1, num(1, 0), bytes(4, bytes(7, deltas($base + 100)), bytes(8, varint(77)), bytes(9, varint(0)),
		bytes(10, varint(120)), bytes(11, varint(0)), bytes(5, 'shop'))));
	$add->(0, 100, 'sched:sched_waking', 88, 'bash', comm => 'shop', pid => 77, prio => 120, target_cpu => 0);
	my $descriptor = bytes(1, 'new_thing') . bytes(2, bytes(1, 'name'), num(3, 1), num(5, 9)) . bytes(2, bytes(1, 'n'), num(3, 2), num(5, 3)) .
		bytes(2, bytes(1, 'odd'), num(3, 3), num(5, 18)) . bytes(2, bytes(1, 'when'), num(3, 4), num(5, 4));
	# A clock of its own, a loss, an error of the reader.
	$out .= packet(bytes(1, num(1, 1), num(3, 1), num(5, 4), num(6, 5000), num(7, $base + 70),
		ftrace_event(5005, 0, 13, num(1, 2), num(2, 1)), bytes(8, num(1, 5007), num(2, 1)),
		ftrace_event(5010, 88, 4, bytes(1, 'bash'), num(2, 88), num(3, 100), num(4, 2), bytes(5, 'shop'), num(6, 77), num(7, 120)),
		ftrace_event(5011, 77, 13, num(1, 1), num(2, 1)), bytes(11, num(1, 65536), bytes(2, $descriptor), bytes(3, 'mine'))));
	$add->(1, 75, 'power:cpu_idle', 0, 'swapper', state => 2, cpu_id => 1);
	$add->(1, 80, 'sched:sched_switch', 88, 'bash', prev_comm => 'bash', prev_pid => 88, prev_prio => 100, prev_state => 2, next_comm => 'shop',
	       next_pid => 77, next_prio => 120);
	$add->(1, 81, 'power:cpu_idle', 77, 'shop', state => 1, cpu_id => 1);
	$out .= packet(num(10, 1), bytes(2, bytes(1, num(1, 5), bytes(3, '/sbin/init'), bytes(3, '-x')), bytes(2, num(1, 99), num(3, 90), bytes(2, 'late')),
		bytes(1, num(1, 88), bytes(3, 'bash'))));
	$out .= packet(num(10, 1), bytes(9, bytes(1, num(1, 90), bytes(11, num(1, 77)))));
	$out .= packet(num(10, 1), bytes(34, num(1, 2), bytes(2, num(1, 1), num(3, 12))));
	$out .= packet(num(10, 1), bytes(35, bytes(1, num(3, 4), num(18, 3), num(6, 2), num(19, 1))));
	@events = sort { $a->{time} <=> $b->{time} || $a->{cpu} <=> $b->{cpu} } @events;
	return ($out, \@events);
}

sub note { my ($name, @value) = @_; return bytes(4, bytes(10, $name), @value); }

# Track events of two sequences; the first has a clock of differences.
sub perfetto_tracks {
	my (%o) = @_;
	my $base = 2_000_000_000;
	my @events;
	my $add = sub {
		my ($time, $name, $track, %fields) = @_;
		push @events, { time => $base + $time, name => $name, track => $track, fields => \%fields };
	};
	my $out = packet(num(10, 1), snapshot(1 => $base + 5_000_000_000, 3 => $base - 400, 6 => $base, 130 => 100)) . $marker;
	my $seq = sub { return packet(num(10, 2), @_) };

	$out .= $seq->(num(87, 1), num(42, 1), num(13, 1), bytes(6, bytes(1, num(1, 6), num(2, $base + 1000)), bytes(1, num(1, 64), num(2, 50),
		num(3, 1), num(4, 10))), bytes(59, num(58, 64), bytes(11, num(11, 11))), bytes(12, bytes(1, num(1, 1), bytes(2, 'cat')),
		bytes(2, num(1, 1), bytes(2, 'work')), bytes(3, num(1, 1), bytes(2, 'size')), bytes(29, num(1, 1), bytes(2, 'interned text'))));
	# Its own difference counts: 10 units of 10 ns.
	$out .= $seq->(num(8, 10), num(13, 2), bytes(11, num(9, 1), num(10, 1), num(3, 1), bytes(4, num(1, 1), num(3, 5)), fixed(47, 777)));
	$add->(1100, 'work', 11, size => 5, flow_ids => [777]);
	$out .= $seq->(num(8, 1), bytes(11, num(9, 1), bytes(23, 'inner'), num(11, 12), note('b', num(2, 1)), note('i', num(4, -7)),
		note('d', double(5, 0.5)), note('s', bytes(6, "a \"b\"")), note('p', num(7, 4096)), note('t', num(17, 1)), note('j', bytes(9, '{"x": 1}')),
		note('o', bytes(11, bytes(10, 'k'), num(4, 1)), bytes(11, bytes(10, 'l'), bytes(12, num(3, 2)), bytes(12, num(3, 3)))),
		note('mixed', num(4, 3)), note('v', bytes(8, num(5, 9))), fixed(48, 777)));
	$add->(1110, 'inner', 12, b => 1, i => -7, d => 0.5, s => 'a "b"', p => 4096, t => 'interned text', j => '{"x": 1}', o => { k => 1, l => [2, 3] },
	       mixed => '3', v => '5: 9', terminating_flow_ids => [777]);
	# A text that is interned once more.
	$out .= $seq->(num(8, 0), bytes(12, bytes(2, num(1, 1), bytes(2, 'other'))), bytes(11, num(9, 3), num(10, 1), note('mixed', bytes(6, 'x'))));
	$add->(1110, 'other', 11, mixed => 'x');
	$out .= $seq->(num(8, 1), bytes(11, num(9, 1), bytes(23, 'inner'), num(11, 12), note('mixed', bytes(6, 'y')), note('i', num(3, 5))));
	$add->(1120, 'inner', 12, mixed => 'y', i => 5);
	$out .= $seq->(num(8, 1), bytes(11, num(9, 2), num(11, 12))) . $seq->(num(8, 1), bytes(11, num(9, 2), num(11, 12))) .
		$seq->(num(8, 1), bytes(11, num(9, 2)));
	$add->(1130, 'end', 12);
	$add->(1140, 'end', 12);
	$add->(1150, 'end', 11);
	# Counters: integers and doubles of one, differences of another. Their names come later.
	$out .= $seq->(num(8, 1), bytes(11, num(9, 4), num(11, 13), num(30, -4))) . $seq->(num(8, 1), bytes(11, num(9, 4), num(11, 13), double(44, 1.5))) .
		$seq->(num(8, 1), bytes(11, num(9, 4), num(11, 14), num(30, 6)));
	$add->(1160, 'level', 13, value => -4);
	$add->(1170, 'level', 13, value => 1.5);
	$add->(1180, 'steps', 14, change => 6);
	# An old event, with its duration.
	$out .= $seq->(num(8, 1), bytes(11, bytes(6, num(1, 1), num(2, ord 'X'), num(3, 2))));
	$add->(1190, 'other', 11, dur => 2000);
	# Packets were lost: what needs the state is left out until it is cleared.
	$out .= $seq->(num(8, 1), num(42, 1), num(13, 2), bytes(11, num(9, 3), num(10, 1)));
	$out .= $seq->(num(58, 6), num(8, $base + 1300), bytes(11, num(9, 3), bytes(23, 'stateless')));
	$add->(1300, 'stateless', 11);
	$out .= $seq->(num(58, 6), num(8, $base + 1400), num(13, 1), bytes(12, bytes(2, num(1, 1), bytes(2, 'again'))), bytes(11, num(9, 3), num(10, 1), num(11, 12)));
	$add->(1400, 'again', 12);
	# Another clock, of the file; another sequence, later in the file and earlier in time.
	$out .= packet(num(10, 3), num(58, 130), num(8, 300), bytes(11, num(9, 3), bytes(23, 'global'), num(11, 12)));
	$add->(200, 'global', 12);
	$out .= packet(num(10, 3), num(58, 3), num(8, $base - 390), bytes(11, num(9, 3), bytes(23, 'monotonic'), num(11, 12)));
	$add->(10, 'monotonic', 12);
	$out .= packet(num(10, 1), bytes(60, num(1, 10), bytes(3, num(1, 50), bytes(2, './prog'), bytes(2, 'arg')))) .
		packet(num(10, 1), bytes(60, num(1, 11), num(5, 10), bytes(4, num(1, 50), num(2, 51), bytes(5, 'main')))) .
		packet(num(10, 1), bytes(60, num(1, 12), num(5, 11), bytes(2, 'belt'))) .
		packet(num(10, 1), bytes(60, num(1, 13), num(5, 10), bytes(2, 'level'), bytes(8))) .
		packet(num(10, 1), bytes(60, num(1, 14), num(5, 14), bytes(2, 'steps'), bytes(8, num(5, 1)))) .
		packet(num(10, 1), num(8, $base + 2000), bytes(69, num(2, 1))) . packet(num(10, 1), num(8, $base + 2001), bytes(700, 'new'));
	my $i = 0;
	$_->{place} = $i++ for @events;
	@events = sort { $a->{time} <=> $b->{time} || $a->{place} <=> $b->{place} } @events;
	return ($out, \@events);
}

1;
