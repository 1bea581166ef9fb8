#!/bin/sh
# every_byte.sh - a small trace of each format, every byte broken in every way
top=${srcdir:-.}
. "$top/tests/lint/lib.sh"

# try TARGET INPUT...
try() {
	target=$1
	shift
	for input; do
		said=$(tests/fuzz/every_byte "$target" "$top/tests/fuzz/corpus/$target/$input" 2>&1) && ok || bad "$target: $said"
	done
}

try traces db26fb6d4244 7ca0a9e63189 fb83dc5f69ad
try ovni 0eaf9fcfef86
try vartrace 9c55a81fff78 465e8aa751ce
try tracedat 3fceb087cc86 483612a37d69
try perfdata 57b0e022b8a2 466a3f888876
try chromejson 6767d781154d 171822180e6e
try uftrace 5e6fb13e1c27
try perfetto 2168cd88cdc5 e3b9c8237c5e e5d299b3af06
verdict every_byte
