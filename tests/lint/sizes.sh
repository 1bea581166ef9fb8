#!/bin/sh
# sizes.sh - no file of the library or the program over 800 lines, no module over its budget of lines
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"

# A module is a folder; its budget counts the lines of its .c and .h files.
budgets='
lib/answer 1340
lib/archive 1400
lib/base 4205
lib/chromejson 2690
lib/compare 6310
lib/columns 5140
lib/ctf 12670
lib/digest 2010
lib/export 1520
lib/ftrace 2450
lib/group 6310
lib/include 3740
lib/index 2060
lib/lane 3640
lib/language 9760
lib/live 2410
lib/model 3430
lib/order 1970
lib/ovni 3740
lib/perfdata 3155
lib/perfetto 4230
lib/plan 3300
lib/plot 1940
lib/scan 8150
lib/set 2990
lib/span 6350
lib/stack 1680
lib/symbol 3890
lib/text 7900
lib/tracedat 1970
lib/uftrace 3000
lib/vartrace 1335
lib/write 8160
src/browser 3150
src/cli 9860
src/command 2200
src/prompt 480
src/reopen 1540
src/screen 2042
src/select 2600
src/session 6750
src/term 1260
src/travel 1200
src/views 15460
'

for file in $(find "$top/lib" "$top/src" -name '*.[ch]' | LC_ALL=C sort); do
	lines=$(wc -l <"$file")
	if [ "$lines" -le 800 ]; then ok; else
		bad "${file#"$top"/}: $lines lines: split it where it has a seam (800 are the most)"
	fi
done

for folder in "$top"/lib/*/ "$top"/src/*/; do
	lines=$(find "$folder" -name '*.[ch]' -exec cat {} + | wc -l)
	[ "$lines" -gt 0 ] || continue
	module=${folder#"$top"/}
	module=${module%/}
	budget=$(echo "$budgets" | sed -n "s|^$module ||p")
	if [ -z "$budget" ]; then
		bad "$module: no budget: add its lines and 5 % to the table in tests/lint/sizes.sh"
	elif [ "$lines" -gt "$budget" ]; then
		bad "$module: $lines lines, and its budget is $budget: raise it in tests/lint/sizes.sh with a reason in the commit"
	else
		ok
	fi
done

for module in $(echo "$budgets" | cut -d' ' -f1); do
	if [ -d "$top/$module" ]; then ok; else bad "$module has a budget, but it is gone: take its row away"; fi
done
verdict sizes
