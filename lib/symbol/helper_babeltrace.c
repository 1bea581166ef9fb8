/*
 * helper_babeltrace.c - names of addresses from one ELF file, as babeltrace2's debug-info component finds them
 *
 * The texts must be equal byte for byte, so this file repeats the component's rules. A function is found only at the top
 * level of a compile unit. An address inside an inlined function has the line of the call; another address has a line
 * only if a row of the line table begins there. A failure in one compile unit ends the search.
 */
#include "symbol/debug.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void
tn_debug_put(struct tn_debug *d, int text, const char *format, ...)
{
	uint32_t *at = &d->answer.n[text];
	size_t room = TN_HELPER_TEXT - *at;
	va_list list;
	int n;

	va_start(list, format);
	n = vsnprintf(d->text[text] + *at, room, format, list);
	va_end(list);
	if (room && n > 0)
		*at += (size_t)n < room ? (uint32_t)n : (uint32_t)room - 1;
}

/* ---- functions ---- */

/* Find the nearest function before the address in a symbol table. False: the table cannot be read. */
static bool
nearest(const struct tn_debug *d, struct tn_elf_section *section, const Elf64_Shdr *head, uint64_t at, Elf64_Sym *best,
	bool *found)
{
	struct tn_elf_data *data = d->dw->elf_getdata(section, NULL);

	if (!data || !head->sh_entsize)
		return false;
	for (uint64_t i = 0; i < head->sh_size / head->sh_entsize && i <= INT32_MAX; i++) {
		Elf64_Sym sym;

		if (!d->dw->gelf_getsym(data, (int)i, &sym))
			return false;
		if (ELF64_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_value <= at && (!*found || sym.st_value > best->st_value)) {
			*best = sym;
			*found = true;
		}
	}
	return true;
}

static void
find_symbol(struct tn_debug *d, uint64_t at)
{
	struct tn_elf_section *section = NULL;

	while (d->elf && (section = d->dw->elf_nextscn(d->elf, section))) {
		Elf64_Shdr head;
		Elf64_Sym best;
		bool found = false;
		const char *name;

		if (!d->dw->gelf_getshdr(section, &head))
			return;
		if (head.sh_type != SHT_SYMTAB)
			continue;
		if (!nearest(d, section, &head, at, &best, &found))
			return;
		if (!found)
			continue;
		name = d->dw->elf_strptr(d->elf, head.sh_link, best.st_name);
		if (name)
			tn_debug_put(d, TN_HELPER_FUNCTION, "%s+%#0" PRIx64, name, at - best.st_value);
		return;
	}
}

/* Move to the next child; before the first call @die is the parent. False: no more children. */
bool
tn_debug_next(const struct tn_libdw *dw, struct tn_dw_die *die, bool *inside)
{
	struct tn_dw_die next;
	int got = *inside ? dw->dwarf_siblingof(die, &next) : dw->dwarf_child(die, &next);

	if (got != 0)
		return false;
	*die = next;
	*inside = true;
	return true;
}

/* Find the function of a unit that contains the address. 1: found; 0: none; -1: the unit cannot be read. */
static int
find_function(const struct tn_debug *d, const struct tn_dw_die *unit, uint64_t at, struct tn_dw_die *out)
{
	bool inside = false;

	*out = *unit;
	while (tn_debug_next(d->dw, out, &inside)) {
		int tag = d->dw->dwarf_tag(out), has;

		if (tag == DW_TAG_invalid)
			return -1;
		if (tag != DW_TAG_subprogram)
			continue;
		has = d->dw->dwarf_haspc(out, at);
		if (has != 0)
			return has;
	}
	return 0;
}

/* ---- sources ---- */

static void
put_source(struct tn_debug *d, const char *path, uint64_t line)
{
	tn_debug_put(d, TN_HELPER_SOURCE, "%s", path);
	d->answer.line = (uint32_t)line;
	d->answer.flags |= TN_HELPER_HAS_SOURCE;
}

/* Find an inlined function around the address, among the DIEs below a function. 1: found; 0: none; -1: unreadable. */
static int
find_inlined(const struct tn_debug *d, uint64_t at, struct tn_dw_die *die)
{
	struct tn_dw_die child;
	int has = 0;
	bool inside = true;

	if (d->dw->dwarf_child(die, &child) != 0)
		return -1;
	*die = child;
	do {
		has = d->dw->dwarf_haspc(die, at);
		if (has < 0)
			return -1;
		if (!has)
			continue;
		if (d->dw->dwarf_tag(die) == DW_TAG_inlined_subroutine)
			return 1;
		if (d->dw->dwarf_haschildren(die)) {	/* the first child itself is skipped */
			if (d->dw->dwarf_child(die, &child) != 0)
				return -1;
			*die = child;
		}
	} while (tn_debug_next(d->dw, die, &inside));
	return has;
}

static bool
number_of(const struct tn_libdw *dw, struct tn_dw_die *die, unsigned name, uint64_t *out)
{
	struct tn_dw_attribute attribute;

	return dw->dwarf_attr(die, name, &attribute) && dw->dwarf_formudata(&attribute, out) == 0;
}

const char *
tn_debug_call(struct tn_debug *d, struct tn_dw_die *unit, struct tn_dw_die *die, uint64_t *line)
{
	struct tn_dw_files *files;
	uint64_t file;
	size_t n;

	if (!number_of(d->dw, die, DW_AT_call_file, &file) || d->dw->dwarf_getsrcfiles(unit, &files, &n) != 0 || file >= n ||
	    !number_of(d->dw, die, DW_AT_call_line, line))
		return NULL;
	return d->dw->dwarf_filesrc(files, (size_t)file, NULL, NULL);
}

/* Find the line of a call. 1: found; 0: not in this unit; -1: the unit cannot be read. */
static int
find_call(struct tn_debug *d, struct tn_dw_die *unit, uint64_t at)
{
	struct tn_dw_die die;
	const char *path;
	uint64_t line;
	int got = find_function(d, unit, at, &die);

	if (got == 1)
		got = find_inlined(d, at, &die);
	if (got != 1)
		return got;
	if (!(path = tn_debug_call(d, unit, &die, &line)))
		return -1;
	put_source(d, path, line);
	return 1;
}

static int
find_line(struct tn_debug *d, struct tn_dw_die *unit, uint64_t at)
{
	struct tn_dw_line *row = d->dw->dwarf_getsrc_die(unit, at);
	const char *path;
	uint64_t begin;
	int line;

	if (!row)
		return 0;
	if (d->dw->dwarf_lineaddr(row, &begin) != 0 || !(path = d->dw->dwarf_linesrc(row, NULL, NULL)))
		return -1;
	if (begin != at)
		return 0;
	if (d->dw->dwarf_lineno(row, &line) != 0)
		return -1;
	put_source(d, path, (uint64_t)line);
	return 1;
}

/* ---- an address ---- */

/* If a unit gives its ranges, it is read only if they contain the address: a file can have a gigabyte of other units. */
static bool
may_have(const struct tn_debug *d, struct tn_dw_die *unit, uint64_t at)
{
	struct tn_dw_attribute attribute;

	return d->dw->dwarf_haspc(unit, at) != 0 || (!d->dw->dwarf_attr(unit, DW_AT_ranges, &attribute) &&
						     !d->dw->dwarf_attr(unit, DW_AT_low_pc, &attribute));
}

/* Call @find for each unit, until @find does not return 0. */
static void
each_unit(struct tn_debug *d, uint64_t at, int (*find)(struct tn_debug *d, struct tn_dw_die *unit, uint64_t at))
{
	uint64_t offset = 0, next;
	size_t header;

	while (d->dw->dwarf_nextcu(d->dwarf, offset, &next, &header, NULL, NULL, NULL) == 0) {
		struct tn_dw_die unit;

		if (!d->dw->dwarf_offdie(d->dwarf, offset + header, &unit) || next <= offset ||
		    (may_have(d, &unit, at) && find(d, &unit, at) != 0))
			return;
		offset = next;
	}
}

static int
name_in_unit(struct tn_debug *d, struct tn_dw_die *unit, uint64_t at)
{
	struct tn_dw_die die;
	uint64_t begin;
	const char *name;
	int got = find_function(d, unit, at, &die);

	if (got != 1)
		return got;
	name = d->dw->dwarf_diename(&die);
	if (!name || d->dw->dwarf_lowpc(&die, &begin) != 0)
		return -1;
	tn_debug_put(d, TN_HELPER_FUNCTION, "%s+%#0" PRIx64, name, at - begin);
	return 1;
}

static int
source_in_unit(struct tn_debug *d, struct tn_dw_die *unit, uint64_t at)
{
	int got = find_call(d, unit, at);

	return got ? got : find_line(d, unit, at);
}

void
tn_debug_info(struct tn_debug *d, uint64_t address)
{
	if (!d->dwarf) {
		find_symbol(d, address);
		return;
	}
	each_unit(d, address, name_in_unit);
	each_unit(d, address, source_in_unit);
}
