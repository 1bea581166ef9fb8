/*
 * ctf.h - the format CTF: version 1.8, version 2, the KEDR dialect, barectf's traces
 */
#ifndef TN_CTF_CTF_H
#define TN_CTF_CTF_H

#include "model/decoder.h"

extern const struct tn_format tn_format_ctf;

#endif
