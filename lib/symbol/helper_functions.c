/*
 * helper_functions.c - readable names of addresses, like addr2line -f -i -C: demangled, with inlined functions
 *
 * The functions of a unit are sorted once, at the first address in the unit. The symbol table has the functions that no
 * unit describes: functions in assembler, and in files without debug data.
 */
#include "symbol/debug.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 256		/* limit of nested DIEs */
#define MOST_INLINED 64		/* limit of nested inlined functions */
#define MOST_SECTIONS 65536

/* ---- bytes of functions ---- */

static int
by_address(const void *a, const void *b)
{
	const struct tn_extent *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

static void
add_extent(struct tn_extents *to, uint64_t low, uint64_t high, uint64_t die, const char *name)
{
	struct tn_extent *code = low <= high ? TN_ARRAY_ADD(to) : NULL;

	if (code)
		*code = (struct tn_extent) { low, high, die, name, to->n };
}

/* Sort the ranges, and cut them so that no function has bytes of another one. */
static void
arrange(struct tn_extents *all)
{
	size_t n = 0;

	all->is_read = true;
	if (all->n)
		qsort(all->item, all->n, sizeof *all->item, by_address);
	for (size_t i = 0; i < all->n; i++) {
		struct tn_extent code = all->item[i];

		if (n && code.low <= all->item[n - 1].high)
			code.low = all->item[n - 1].high + 1;
		if (code.low && code.low <= code.high)
			all->item[n++] = code;
	}
	all->n = n;
}

static const struct tn_extent *
extent_at(const struct tn_extents *all, uint64_t address)
{
	size_t at = 0;

	TN_BISECT(at, all->n, mid, all->item[mid].low <= address);
	return at && address <= all->item[at - 1].high ? &all->item[at - 1] : NULL;
}

/* ---- symbols ---- */

/* Find the symbol table of a file: the table of all symbols, otherwise that of the dynamic linker. */
static struct tn_elf_section *
find_table(const struct tn_debug *d, struct tn_elf *elf, unsigned type, Elf64_Shdr *head)
{
	struct tn_elf_section *section = NULL;

	while (elf && (section = d->dw->elf_nextscn(elf, section)))
		if (d->dw->gelf_getshdr(section, head) && head->sh_type == type && head->sh_entsize)
			return section;
	return NULL;
}

/* Get the last byte of each section, by its number. */
static size_t
section_ends(const struct tn_debug *d, struct tn_elf *elf, uint64_t *end)
{
	struct tn_elf_section *section = NULL;
	size_t n = 1;

	for (; n < MOST_SECTIONS && (section = d->dw->elf_nextscn(elf, section)); n++) {
		Elf64_Shdr head;

		if (d->dw->gelf_getshdr(section, &head) && head.sh_size)
			end[n] = head.sh_addr + (head.sh_size - 1);
	}
	return n;
}

static void
read_symbols(struct tn_debug *d)
{
	struct tn_elf *elf = d->elf, *other = d->readable ? d->dw->dwarf_getelf(d->readable) : NULL;
	struct tn_elf_section *section;
	struct tn_elf_data *data;
	struct tn_extents *all = &d->symbols;
	uint64_t *end = calloc(MOST_SECTIONS, sizeof *end);
	Elf64_Shdr head;
	size_t n_ends, n;

	if (!(section = find_table(d, elf, SHT_SYMTAB, &head)) && (section = find_table(d, other, SHT_SYMTAB, &head)))
		elf = other;
	if (!section)
		section = find_table(d, elf, SHT_DYNSYM, &head);
	if (!end || !section || !(data = d->dw->elf_getdata(section, NULL))) {
		free(end);
		return;
	}
	n_ends = section_ends(d, elf, end);
	for (uint64_t i = 0; i < head.sh_size / head.sh_entsize && i <= INT32_MAX; i++) {
		Elf64_Sym sym;
		const char *name;
		unsigned type;

		if (!d->dw->gelf_getsym(data, (int)i, &sym))
			break;
		type = ELF64_ST_TYPE(sym.st_info);
		if ((type == STT_FUNC || type == STT_GNU_IFUNC) && sym.st_shndx != SHN_UNDEF && sym.st_value &&
		    (name = d->dw->elf_strptr(elf, head.sh_link, sym.st_name)) && *name)
			add_extent(all, sym.st_value, sym.st_size ? sym.st_value + (sym.st_size - 1) :
				 sym.st_shndx < n_ends && end[sym.st_shndx] ? end[sym.st_shndx] : UINT64_MAX, !sym.st_size, name);
	}
	free(end);
	/* A symbol without a size ends at the next one. */
	if (all->n)
		qsort(all->item, all->n, sizeof *all->item, by_address);
	n = all->n;
	for (uint64_t next = UINT64_MAX; n--;) {
		struct tn_extent *code = &all->item[n];

		if (n + 1 < all->n && code->low != code[1].low)
			next = code[1].low - 1;
		if (code->die && code->high > next)
			code->high = next;
	}
}

static const struct tn_extents *
symbols_of(struct tn_debug *d)
{
	if (!d->symbols.is_read) {
		read_symbols(d);
		arrange(&d->symbols);
	}
	return &d->symbols;
}

/* ---- units ---- */

static void
read_units(struct tn_debug *d)
{
	uint64_t at = 0, next;
	size_t header;

	while (d->readable && d->dw->dwarf_nextcu(d->readable, at, &next, &header, NULL, NULL, NULL) == 0 && next > at) {
		struct tn_unit *unit = TN_ARRAY_ADD(&d->unit);

		if (!unit)
			return;
		unit->die = at + header;
		at = next;
	}
}

/* Collect all functions in a DIE. In C++ and Rust they can be in namespaces, in GNU C in functions. */
static void
walk(struct tn_debug *d, struct tn_unit *unit, const struct tn_dw_die *parent, unsigned depth)
{
	struct tn_dw_die die = *parent;
	bool inside = false;

	while (tn_debug_next(d->dw, &die, &inside)) {
		int tag = d->dw->dwarf_tag(&die);
		uint64_t base, low, high;
		ptrdiff_t range = 0;

		if (tag == DW_TAG_invalid)
			return;
		while (tag == DW_TAG_subprogram && (range = d->dw->dwarf_ranges(&die, range, &base, &low, &high)) > 0)
			if (low && low < high)	/* 0: the linker removed the function */
				add_extent(&unit->extents, low, high - 1, d->dw->dwarf_dieoffset(&die), NULL);
		if (tag != DW_TAG_inlined_subroutine && depth < DEEPEST && d->dw->dwarf_haschildren(&die) == 1)
			walk(d, unit, &die, depth + 1);
	}
}

static const struct tn_extents *
extents_of(struct tn_debug *d, struct tn_unit *unit, const struct tn_dw_die *die)
{
	if (!unit->extents.is_read) {
		walk(d, unit, die, 0);
		arrange(&unit->extents);
	}
	return &unit->extents;
}

/* ---- names ---- */

/* Find the name of a function. @low: its first address; 0: unknown. NULL: the function has no name. */
static const char *
name_of(struct tn_debug *d, struct tn_dw_die *die, uint64_t low)
{
	struct tn_dw_attribute attribute;
	const char *name = NULL, *plain = d->dw->dwarf_diename(die), *text;
	const struct tn_extent *symbol;

	if (d->dw->dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
	    d->dw->dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		name = d->dw->dwarf_formstring(&attribute);
	if (!name && low) {	/* for static functions, gcc writes the linkage name only in the symbol table */
		symbol = extent_at(symbols_of(d), low);
		name = symbol && symbol->low == low && strncmp(symbol->name, "_Z", 2) == 0 ? symbol->name : NULL;
	}
	name = name && *name ? name : plain;
	if (!name || !*name)
		return NULL;
	text = tn_demangle(d, name);
	return text == name && plain && strncmp(name, "_R", 2) == 0 ? plain : text;
}

/* Find the functions that are inlined at an address, the outermost first. */
static size_t
find_inlined(struct tn_debug *d, const struct tn_dw_die *function, uint64_t address, struct tn_dw_die *out)
{
	struct tn_dw_die die = *function;
	bool inside = false;
	size_t n = 0;
	int depth = 0;

	while (depth < DEEPEST && n < MOST_INLINED && tn_debug_next(d->dw, &die, &inside)) {
		int tag = d->dw->dwarf_tag(&die);

		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block && tag != DW_TAG_try_block &&
		    tag != DW_TAG_catch_block)
			continue;
		if (d->dw->dwarf_haspc(&die, address) != 1)
			continue;
		if (tag == DW_TAG_inlined_subroutine)
			out[n++] = die;
		inside = false;
		depth++;
	}
	return n;
}

/* Write sources and inlined functions. Each function is called in the one before it, and the address is in the last one. */
static void
put_places(struct tn_debug *d, struct tn_dw_die *unit, const struct tn_dw_die *function, uint64_t address)
{
	struct tn_dw_die inlined[MOST_INLINED];
	struct tn_dw_line *row = d->dw->dwarf_getsrc_die(unit, address);
	size_t n = function ? find_inlined(d, function, address, inlined) : 0;

	for (size_t i = 0; i <= n; i++) {
		const char *path, *name = i ? name_of(d, &inlined[i - 1], 0) : "";
		uint64_t line = 0;
		int number = 0;

		if (i < n) {
			path = tn_debug_call(d, unit, &inlined[i], &line);
		} else {
			path = row && d->dw->dwarf_lineno(row, &number) == 0 ? d->dw->dwarf_linesrc(row, NULL, NULL) : NULL;
			line = (uint64_t)number;
		}
		if (i) {
			/* A function whose texts do not fit is left out completely. */
			name = name ? name : "?";
			if (d->answer.n[TN_HELPER_INLINED] + strlen(name) + (path ? strlen(path) : 0) + 30 > TN_HELPER_TEXT)
				return;
			tn_debug_put(d, TN_HELPER_INLINED, "%s\n", name);
			tn_debug_put(d, TN_HELPER_INLINED, path ? "%s:%" PRIu64 "\n" : "\n", path, line);
		} else if (path) {
			tn_debug_put(d, TN_HELPER_SOURCE, "%s", path);
			d->answer.line = (uint32_t)line;
			d->answer.flags |= TN_HELPER_HAS_SOURCE;
		}
	}
}

void
tn_debug_names(struct tn_debug *d, uint64_t address)
{
	const struct tn_extent *code = NULL;
	struct tn_dw_die unit, function;
	const char *name = NULL;

	if (!d->unit.n)
		read_units(d);
	for (size_t i = 0; i < d->unit.n && !code; i++) {
		if (!d->dw->dwarf_offdie(d->readable, d->unit.item[i].die, &unit) || d->dw->dwarf_haspc(&unit, address) == 0)
			continue;
		code = extent_at(extents_of(d, &d->unit.item[i], &unit), address);
		if (code && d->dw->dwarf_offdie(d->readable, code->die, &function))
			name = name_of(d, &function, code->low);
		if (!code && d->dw->dwarf_haspc(&unit, address) == 1) {	/* assembler has only lines, no functions */
			put_places(d, &unit, NULL, address);
			break;
		}
	}
	if (code && name) {
		tn_debug_put(d, TN_HELPER_FUNCTION, "%s+%#0" PRIx64, name, address - code->low);
		put_places(d, &unit, &function, address);
		return;
	}
	code = extent_at(symbols_of(d), address);
	if (code)
		tn_debug_put(d, TN_HELPER_FUNCTION, "%s+%#0" PRIx64,
			     tn_demangle(d, code->name), address - code->low);
}

void
tn_debug_functions(struct tn_debug *d, bool (*add)(void *user, uint64_t low, uint64_t high, const char *name), void *user)
{
	bool more = true;

	if (!d->unit.n)
		read_units(d);
	for (size_t i = 0; i < d->unit.n && more; i++) {
		struct tn_dw_die unit, function;
		const struct tn_extents *extents;

		if (!d->dw->dwarf_offdie(d->readable, d->unit.item[i].die, &unit))
			continue;
		extents = extents_of(d, &d->unit.item[i], &unit);
		for (size_t k = 0; k < extents->n && more; k++) {
			const struct tn_extent *code = &extents->item[k];
			const char *name = NULL;

			if (d->dw->dwarf_offdie(d->readable, code->die, &function))
				name = name_of(d, &function, code->low);
			if (name)
				more = add(user, code->low, code->high, name);
		}
	}
	symbols_of(d);
	for (size_t i = 0; i < d->symbols.n && more; i++)
		more = add(user, d->symbols.item[i].low, d->symbols.item[i].high,
			   tn_demangle(d, d->symbols.item[i].name));
}
