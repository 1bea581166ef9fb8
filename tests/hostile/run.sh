#!/bin/sh
# run.sh - what surrounds the program is hostile: descriptors that are closed, terminals that go away
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"
tnav=${TNAV:-src/tnav}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1
export XDG_CACHE_HOME="$work/cache" XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config"

tests/demo/write_demo "$work/demo" || exit 1
cp -R "$work/demo" "$work/damaged"
printf 'no packet' >>"$work/damaged/kernel_1"

# A closed descriptor is nobody else's: what is told does not go into the file that is written.
"$tnav" --print "$work/damaged" >"$work/want" 2>/dev/null
"$tnav" --print -w "$work/got" "$work/damaged" 2>&-
cmp -s "$work/want" "$work/got" && ok || bad "standard error is closed: $(head -n 1 "$work/got")"
"$tnav" --print "$work/demo" >&- 2>"$work/err"
[ $? -eq 1 ] && grep -q 'standard output' "$work/err" && ok || bad "standard output is closed: $(cat "$work/err")"
"$tnav" --count "$work/demo" <&- >"$work/got" 2>&1
[ "$(cat "$work/got")" = 6016 ] && ok || bad "standard input is closed: $(cat "$work/got")"

# What was typed, or came with a name that a shell completed, is told in a safe form.
esc=$(printf '\033[2J\302\2332J')
for arguments in "--threads=$esc" "--names=$esc" "--record=$work/no/$esc" "--begin=$esc" "$esc"; do
	"$tnav" --count "$arguments" "$work/demo" >/dev/null 2>"$work/err"
	[ $? -ne 0 ] && grep -qF '\x1b[2J\u009b2J' "$work/err" && ! grep -q "$(printf '\033')" "$work/err" && ok ||
		bad "$arguments: $(cat "$work/err")"
done

# What cannot be looked at is not written over: it may be a device.
ln -s loop "$work/loop"
"$tnav" --print --force -w "$work/loop" "$work/demo" >"$work/got" 2>"$work/err"
[ $? -ne 0 ] && [ -L "$work/loop" ] && grep -q 'loop: Too many levels' "$work/err" && ok || bad "a link that leads to itself: $(cat "$work/err")"

# What is wrong is told in one order, and more of it than is kept for that is told all the same, and once.
mkdir "$work/wrong"
cat >"$work/wrong/metadata" <<'END'
/* CTF 1.8 */
typealias integer { size = 32; align = 8; } := u32;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; }; };
stream { packet.context := struct { u32 content_size; u32 packet_size; }; };
event { name = x; fields := struct { string a; }; };
END
perl -e 'print pack("V3a4", 0xc1fc1fc1, 128, 128, "abcd") x 40000' >"$work/wrong/s"
"$tnav" --count "$work/wrong" >"$work/got" 2>"$work/err"
[ $? -eq 1 ] && [ "$(grep -c ': packet ' "$work/err")" -eq 40000 ] && [ "$(sort -u "$work/err" | grep -c ': packet ')" -eq 40000 ] && ok ||
	bad "40,000 damaged packets: $(wc -l <"$work/err") messages: $(head -n 2 "$work/err")"

# A pattern that never comes to an end is an error, not "no match".
"$tnav" --count --threads=2 -f '((.|..)*)*Q$' "$work/demo" >"$work/got" 2>"$work/err"
[ $? -ne 0 ] && [ ! -s "$work/got" ] && grep -q 'too complex' "$work/err" && ok || bad "endless pattern: $(cat "$work/err")"

# One line that an expression cannot decide in its second is an error that says which event it is. 1 MB each: what PCRE2
# counts says nothing of the time.
mkdir "$work/long"
cat >"$work/long/metadata" <<'END'
/* CTF 1.8 */
typealias integer { size = 32; align = 8; } := u32;
typealias integer { size = 64; align = 8; } := u64;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; }; };
clock { name = c; freq = 1000000000; };
typealias integer { size = 64; align = 8; map = clock.c.value; } := time;
stream { event.header := struct { time t; }; };
event { name = x; fields := struct { string s; }; };
END
perl -e 'print pack "V", 0xc1fc1fc1; print pack("Q<", $_), $_ == 7 ? "a" x 1e6 : "short", "\0" for 5 .. 9' >"$work/long/s"
for how in '(?=(a+))a*b\1' 's =~ /(?=(a+))a*b\1/' '/(?=(a+))a*b\1/ and s != "z"'; do
	timeout 120 "$tnav" --count -f "$how" "$work/long" >"$work/got" 2>"$work/err"
	[ $? -eq 2 ] && grep -q '/long/s: packet 0: event at 0.000000007 s: .*too complex' "$work/err" && ok ||
		bad "a long line, $how: $(cut -c1-300 "$work/err")"
done
# Neither may it take what memory there is. The sanitizers need all addresses.
limit=1000000
grep -qE '__[at]san_init' "$tnav" && limit=unlimited
(ulimit -v "$limit"; timeout 120 "$tnav" --count --threads=1 -f '(*NO_JIT)"((a|b)(a|b))*[cd]' "$work/long") >"$work/got" 2>"$work/err"
[ $? -eq 2 ] && grep -q 'event at 0.000000007 s: .*too complex' "$work/err" && ok || bad "memory of a long line: $(cut -c1-300 "$work/err")"

# Sorted spans that are more than is kept: one that is dropped as soon as it came.
mkdir "$work/sorted"
cat >"$work/sorted/metadata" <<'END'
/* CTF 1.8 */
typealias integer { size = 8; align = 8; } := u8;
typealias integer { size = 32; align = 8; } := u32;
typealias integer { size = 64; align = 8; } := u64;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; }; };
clock { name = c; freq = 1000000000; };
typealias integer { size = 64; align = 8; map = clock.c.value; } := time;
stream { event.header := struct { u8 id; time t; }; };
event { name = begin; id = 0; fields := struct { string s; }; };
event { name = end; id = 1; };
END
perl -e '
	print pack "V", 0xc1fc1fc1;
	for (([5, 10], [1000, 40e6], [900, 20e6], [6, 1500000])) {
		print pack("CQ<", 0, $at += 10), "a" x $$_[1], "\0";
		print pack("CQ<", 1, $at += $$_[0]);
	}' >"$work/sorted/s"
"$tnav" --spans 'begin end show s' --sort=duration -w "$work/got" --force "$work/sorted" 2>"$work/err"
[ $? -eq 0 ] && [ "$(wc -l <"$work/got")" -eq 1 ] && grep -q '3 further spans are left out' "$work/err" && ok ||
	bad "sorted spans that are large: $(cut -c1-200 "$work/err")"
rm -r "$work/sorted"

# On a terminal a name of a trace ends no line and colours nothing; in a pipe all is as it is.
mkdir "$work/names"
cat >"$work/names/metadata" <<'END'
/* CTF 1.8 */
typealias integer { size = 8; } := u8;
trace { major = 1; minor = 8; byte_order = le; };
env { hostname = "ho\nst\033[31m"; };
event { name = "x\nforged: { a = 1 }\n\033[201~\033[31mred\u200b\u00ad"; fields := struct { string a; }; };
END
printf 'one\302\255\0two\033[1m\0' >"$work/names/s"
for color in --color=always --color=never; do
	tests/hostile/gone --show "$tnav" --print $color "$work/names" >"$work/got"
	[ $? -eq 0 ] && [ "$(wc -l <"$work/got")" -eq 2 ] && ok || bad "$color: lines on a terminal: $(cat -v "$work/got")"
	grep -qF 'x\x0aforged: { a = 1 }\x0a\x1b[201~\x1b[31mred\u200b\u00ad' "$work/got" && ok ||
		bad "$color: a name on a terminal: $(cat -v "$work/got")"
	grep -qF 'ho\x0ast\x1b[31m' "$work/got" && ok || bad "$color: a host on a terminal: $(cat -v "$work/got")"
	grep -qF 'one\u00ad' "$work/got" && ok || bad "$color: a string on a terminal: $(cat -v "$work/got")"
	! grep -q "$(printf '\033\\[31m')" "$work/got" && ok || bad "$color: a colour of the trace: $(cat -v "$work/got")"
done
grep -q "$(printf '\033\\[')" "$work/got" && bad "--color=never: $(cat -v "$work/got")" || ok
"$tnav" --print "$work/names" >"$work/got"
grep -q '^forged: { a = 1 }$' "$work/got" && ok || bad "a name in a pipe: $(cat -v "$work/got")"

# A pipe that nobody writes to is no trace, and nothing waits for it.
mkfifo "$work/pipe"
timeout 60 "$tnav" --count "$work/pipe" >"$work/got" 2>"$work/err"
[ $? -eq 1 ] && grep -q 'not a trace' "$work/err" && ok || bad "a pipe: $(cat "$work/err")"

# Files that shrink while they are read: an error, not the end of the program, in every thread.
for threads in 1 8; do
	for mode in text json csv regex expression count export back; do
		rm -rf "$work/shrinks" "$work/exported"
		cp -R "$work/demo" "$work/shrinks"
		said=$(tests/hostile/shrink $mode $threads "$work/shrinks" "$work/exported" 2>&1) && ok ||
			bad "a file shrinks, $mode with $threads threads: exit status $?: $said"
		[ ! -e "$work/exported" ] && ! ls -d "$work"/.*exported* "$work"/exported?* >/dev/null 2>&1 && ok ||
			bad "a file shrinks, $mode: what was exported stays"
	done
done

# What is left of the page in which a file was cut reads as zeros: no line is made of them.
TNAV_FAULT=alloc:0 tests/faults/tnav-faults --threads=8 --no-index-cache --print -f irq "$work/demo" >"$work/want" 2>/dev/null
for at in 381 383 384 385 390 400 421 440; do
	rm -rf "$work/cut"
	cp -R "$work/demo" "$work/cut"
	TNAV_FAULT=alloc:$at TNAV_FAULT_RUN="truncate -s 1 $work/cut/kernel_1" \
		tests/faults/tnav-faults --threads=8 --no-index-cache --print -f irq "$work/cut" >"$work/got" 2>"$work/err"
	[ -s "$work/want" ] && ! grep -vxFf "$work/want" "$work/got" >"$work/other" && ok ||
		bad "a file is cut at allocation $at: $(head -n 1 "$work/other")"
done

# The browser, with a pipe that nobody writes to for its configuration.
mkdir -p "$XDG_CONFIG_HOME/tnav" && mkfifo "$XDG_CONFIG_HOME/tnav/config"
tests/hostile/gone "$tnav" "$work/demo" && ok || bad "a terminal that goes away"
verdict hostile
