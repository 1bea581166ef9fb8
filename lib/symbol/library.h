/*
 * library.h - elfutils' libdw, and libstdc++ for names of C++, loaded when the first address needs a name
 *
 * The few types of libdw that tnav uses are declared here as in the headers of elfutils since 0.120, because they are
 * part of the library's ABI. So a build does not need libdw-dev.
 */
#ifndef TN_SYMBOL_LIBRARY_H
#define TN_SYMBOL_LIBRARY_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define TN_LIBDW_SONAME "libdw.so.1"
#define TN_LIBSTDCXX_SONAME "libstdc++.so.6"

struct tn_dw;
struct tn_dw_line;
struct tn_dw_files;
struct tn_elf;
struct tn_elf_section;
struct tn_dw_die { void *at; void *cu; void *abbrev; long padding; };
struct tn_dw_attribute { unsigned code, form; unsigned char *value; void *cu; };
struct tn_elf_data { void *bytes; int type; unsigned version; size_t size; int64_t offset; size_t align; };

/* For each function: name, result, parameters. */
#define TN_LIBDW_CALLS(X)                                                                                             \
	X(dwarf_begin, struct tn_dw *, (int fd, int command))                                                          \
	X(dwarf_nextcu, int, (struct tn_dw * dw, uint64_t at, uint64_t * next, size_t *header, int64_t *abbrev,        \
			      uint8_t *address_size, uint8_t *offset_size))                                            \
	X(dwarf_offdie, struct tn_dw_die *, (struct tn_dw * dw, uint64_t at, struct tn_dw_die * out))                  \
	X(dwarf_child, int, (struct tn_dw_die * die, struct tn_dw_die * out))                                          \
	X(dwarf_siblingof, int, (struct tn_dw_die * die, struct tn_dw_die * out))                                      \
	X(dwarf_tag, int, (struct tn_dw_die * die))                                                                    \
	X(dwarf_haspc, int, (struct tn_dw_die * die, uint64_t pc))                                                     \
	X(dwarf_haschildren, int, (struct tn_dw_die * die))                                                            \
	X(dwarf_diename, const char *, (struct tn_dw_die * die))                                                       \
	X(dwarf_lowpc, int, (struct tn_dw_die * die, uint64_t * out))                                                  \
	X(dwarf_ranges, ptrdiff_t, (struct tn_dw_die * die, ptrdiff_t at, uint64_t * base, uint64_t * low, uint64_t * high)) \
	X(dwarf_attr, struct tn_dw_attribute *, (struct tn_dw_die * die, unsigned name, struct tn_dw_attribute * out)) \
	X(dwarf_attr_integrate, struct tn_dw_attribute *, (struct tn_dw_die * die, unsigned name, struct tn_dw_attribute * out)) \
	X(dwarf_formstring, const char *, (struct tn_dw_attribute * attribute))                                        \
	X(dwarf_dieoffset, uint64_t, (struct tn_dw_die * die))                                                         \
	X(dwarf_getelf, struct tn_elf *, (struct tn_dw * dw))                                                          \
	X(dwarf_formudata, int, (struct tn_dw_attribute * attribute, uint64_t * out))                                  \
	X(dwarf_getsrcfiles, int, (struct tn_dw_die * cu, struct tn_dw_files * *out, size_t *n))                       \
	X(dwarf_filesrc, const char *, (struct tn_dw_files * files, size_t i, uint64_t * mtime, uint64_t * size))      \
	X(dwarf_getsrc_die, struct tn_dw_line *, (struct tn_dw_die * cu, uint64_t pc))                                 \
	X(dwarf_lineaddr, int, (struct tn_dw_line * line, uint64_t * out))                                             \
	X(dwarf_linesrc, const char *, (struct tn_dw_line * line, uint64_t * mtime, uint64_t * size))                  \
	X(dwarf_lineno, int, (struct tn_dw_line * line, int *out))                                                     \
	X(elf_version, unsigned, (unsigned version))                                                                   \
	X(elf_begin, struct tn_elf *, (int fd, int command, struct tn_elf * archive))                                  \
	X(elf_kind, int, (struct tn_elf * elf))                                                                        \
	X(elf_nextscn, struct tn_elf_section *, (struct tn_elf * elf, struct tn_elf_section * section))                \
	X(elf_getdata, struct tn_elf_data *, (struct tn_elf_section * section, struct tn_elf_data * before))           \
	X(elf_strptr, char *, (struct tn_elf * elf, size_t section, size_t at))                                        \
	X(gelf_getshdr, Elf64_Shdr *, (struct tn_elf_section * section, Elf64_Shdr * out))                             \
	X(gelf_getsym, Elf64_Sym *, (struct tn_elf_data * data, int i, Elf64_Sym * out))                               \
	X(gelf_getnote, size_t, (struct tn_elf_data * data, size_t at, Elf64_Nhdr * out, size_t *name, size_t *text))

struct tn_libdw {
	void *handle;		/* NULL: not loaded */
	void *cxx;		/* libstdc++; NULL: names of C++ and Rust are not demangled */
	char *(*demangle)(const char *name, char *buffer, size_t *size, int *status);	/* __cxa_demangle() */
#define X(name, result, parameters) result(*name) parameters;
	TN_LIBDW_CALLS(X)
#undef X
};

/* TN_ERR_UNSUPPORTED: the library is not installed, or one of the functions is missing. */
enum tn_code tn_libdw_load(struct tn_libdw *dw, struct tn_error *err);
void tn_libdw_unload(struct tn_libdw *dw);	/* zeroed @dw is allowed */

#endif
