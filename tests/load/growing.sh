#!/bin/sh
# growing.sh - a set that grows while other threads read it (growing.c): all is there in the end
#
# Run in the build folder; under ThreadSanitizer ./check does.
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1
export XDG_CACHE_HOME="$work/cache"
tests/load/growing "$work"
