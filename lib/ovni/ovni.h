/*
 * ovni.h - ovni traces: trace specification 3, binary stream version 1
 *
 * A trace is a folder; each folder in it with a file stream.json is a stream, one thread of one process of one
 * loom.
 */
#ifndef TN_OVNI_OVNI_H
#define TN_OVNI_OVNI_H

#include "model/decoder.h"

extern const struct tn_format tn_format_ovni;

#endif
