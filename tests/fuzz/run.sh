#!/bin/sh
# Broken metadata, a little: a sanitizer build makes this worth more, and more rounds (-n).
set -e
exec tests/fuzz/fuzz_tsdl -n "${FUZZ_ROUNDS:-400}" "$srcdir"/tests/fuzz/tsdl/*
