/*
 * helper_dwarf.c - names of addresses from one ELF file, as babeltrace2's debug-info component finds them
 *
 * The texts are compared byte for byte, so the ways to them are the same, with their peculiarities: a function is one
 * at the top level of a compile unit; a place inside an inlined function has the line of the call; another has a line only if a
 * row of the line table begins there; a failure in one compile unit ends the search.
 */
#include "symbol/helper.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Numbers of DWARF and of libelf's and libdw's headers. */
enum {
	DW_TAG_invalid = 0, DW_TAG_inlined_subroutine = 0x1d, DW_TAG_subprogram = 0x2e,
	DW_AT_call_file = 0x58, DW_AT_call_line = 0x59, DWARF_C_READ = 0, ELF_C_READ = 1, ELF_K_ELF = 3
};

struct binary {
	const struct tn_libdw *dw;
	const struct tn_helper_work *work;
	struct tn_elf *elf;	/* NULL: there is none */
	struct tn_dw *dwarf;	/* NULL: there is none */
	bool mismatch;		/* the file has another build id than the mapped one */
	struct tn_helper_answer answer;
	char function[TN_HELPER_TEXT], source[TN_HELPER_TEXT];
	bool any_line;		/* of the question */
};

/* ---- files ---- */

static struct tn_elf *
open_elf(const struct tn_libdw *dw, int fd)
{
	struct tn_elf *elf = fd < 0 ? NULL : dw->elf_begin(fd, ELF_C_READ, NULL);

	return elf && dw->elf_kind(elf) == ELF_K_ELF ? elf : NULL;
}

/* The last note of a build id decides; a section has only one. */
static bool
has_build_id(const struct binary *b)
{
	struct tn_elf_section *section = NULL;
	bool same = false;

	if (!b->elf)
		return false;
	while ((section = b->dw->elf_nextscn(b->elf, section))) {
		struct tn_elf_data *data;
		Elf64_Shdr head;
		Elf64_Nhdr note;
		size_t name, text;

		if (!b->dw->gelf_getshdr(section, &head))
			return same;
		if (head.sh_type != SHT_NOTE)
			continue;
		data = b->dw->elf_getdata(section, NULL);
		if (!data)
			return same;
		if (!b->dw->gelf_getnote(data, 0, &note, &name, &text) || note.n_type != NT_GNU_BUILD_ID ||
		    note.n_namesz != sizeof "GNU" || name > data->size || data->size - name < sizeof "GNU" ||
		    memcmp((char *)data->bytes + name, "GNU", sizeof "GNU") != 0)
			continue;
		same = b->work->build_id_size && text <= data->size && data->size - text >= b->work->build_id_size &&
		       memcmp((char *)data->bytes + text, b->work->build_id, b->work->build_id_size) == 0;
		if (!same)
			break;
	}
	return same;
}

/* The DWARF data of a file that has at least one unit. */
static struct tn_dw *
open_dwarf(const struct tn_libdw *dw, int fd)
{
	struct tn_dw *dwarf = fd < 0 ? NULL : dw->dwarf_begin(fd, DWARF_C_READ);
	size_t header;
	uint64_t next;

	return dwarf && dw->dwarf_nextcu(dwarf, 0, &next, &header, NULL, NULL, NULL) == 0 ? dwarf : NULL;
}

/* The checksum of a debug link: CRC-32 of the whole file. */
static bool
has_crc(int fd, uint32_t want)
{
	uint8_t bytes[16384];
	uint32_t crc = UINT32_MAX, table[256];
	ssize_t n;

	if (fd < 0)
		return false;
	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? UINT32_C(0xedb88320) : 0);
	}
	for (off_t at = 0; (n = pread(fd, bytes, sizeof bytes, at)) > 0; at += n)
		for (ssize_t i = 0; i < n; i++)
			crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xff];
	return n == 0 && ~crc == want;
}

/* The file itself, then that of its build id, then the first of its debug link that has the checksum. */
static void
open_all(struct binary *b)
{
	const int *fd = b->work->fd;

	b->dw->elf_version(EV_CURRENT);
	b->elf = open_elf(b->dw, fd[0]);
	b->mismatch = b->work->build_id && !has_build_id(b);
	if (b->mismatch)
		return;
	b->dwarf = open_dwarf(b->dw, fd[0]);
	if (!b->dwarf)
		b->dwarf = open_dwarf(b->dw, fd[1]);
	for (int i = 2; !b->dwarf && i < TN_HELPER_FILES; i++)
		if (has_crc(fd[i], b->work->crc)) {
			b->dwarf = open_dwarf(b->dw, fd[i]);
			break;
		}
}

/* ---- functions ---- */

static void
put_function(struct binary *b, const char *name, uint64_t begin, uint64_t at)
{
	int n = snprintf(b->function, sizeof b->function, "%s+%#0" PRIx64, name, at - begin);

	b->answer.n_function = n < 0 ? 0 : n < (int)sizeof b->function ? (uint32_t)n : sizeof b->function - 1;
}

/* The nearest function before the address, of a table of symbols. False: it cannot be read. */
static bool
nearest(const struct binary *b, struct tn_elf_section *section, const Elf64_Shdr *head, uint64_t at, Elf64_Sym *best,
	bool *found)
{
	struct tn_elf_data *data = b->dw->elf_getdata(section, NULL);

	if (!data || !head->sh_entsize)
		return false;
	for (uint64_t i = 0; i < head->sh_size / head->sh_entsize && i <= INT32_MAX; i++) {
		Elf64_Sym sym;

		if (!b->dw->gelf_getsym(data, (int)i, &sym))
			return false;
		if (ELF64_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_value <= at && (!*found || sym.st_value > best->st_value)) {
			*best = sym;
			*found = true;
		}
	}
	return true;
}

static void
find_symbol(struct binary *b, uint64_t at)
{
	struct tn_elf_section *section = NULL;

	while (b->elf && (section = b->dw->elf_nextscn(b->elf, section))) {
		Elf64_Shdr head;
		Elf64_Sym best;
		bool found = false;
		const char *name;

		if (!b->dw->gelf_getshdr(section, &head))
			return;
		if (head.sh_type != SHT_SYMTAB)
			continue;
		if (!nearest(b, section, &head, at, &best, &found))
			return;
		if (!found)
			continue;
		name = b->dw->elf_strptr(b->elf, head.sh_link, best.st_name);
		if (name)
			put_function(b, name, best.st_value, at);
		return;
	}
}

/* The next DIE of a level; @in is first its parent. False: there is none. */
static bool
next_die(const struct tn_libdw *dw, struct tn_dw_die *die, bool *inside)
{
	struct tn_dw_die next;
	int got = *inside ? dw->dwarf_siblingof(die, &next) : dw->dwarf_child(die, &next);

	if (got != 0)
		return false;
	*die = next;
	*inside = true;
	return true;
}

/* 1: the function of a unit that has the address; 0: none has; -1: the unit cannot be read. */
static int
find_function(const struct binary *b, const struct tn_dw_die *unit, uint64_t at, struct tn_dw_die *out)
{
	bool inside = false;

	*out = *unit;
	while (next_die(b->dw, out, &inside)) {
		int tag = b->dw->dwarf_tag(out), has;

		if (tag == DW_TAG_invalid)
			return -1;
		if (tag != DW_TAG_subprogram)
			continue;
		has = b->dw->dwarf_haspc(out, at);
		if (has != 0)
			return has;
	}
	return 0;
}

/* ---- sources ---- */

static void
put_source(struct binary *b, const char *path, uint64_t line)
{
	size_t n = strlen(path);

	b->answer.n_source = n < sizeof b->source ? (uint32_t)n : sizeof b->source;
	memcpy(b->source, path, b->answer.n_source);
	b->answer.line = (uint32_t)line;
	b->answer.flags |= TN_HELPER_HAS_SOURCE;
}

/* An inlined function around the address, among the DIEs below a function: 1, 0, -1 as above. */
static int
find_inlined(const struct binary *b, uint64_t at, struct tn_dw_die *die)
{
	struct tn_dw_die child;
	int has = 0;
	bool inside = true;

	if (b->dw->dwarf_child(die, &child) != 0)
		return -1;
	*die = child;
	do {
		has = b->dw->dwarf_haspc(die, at);
		if (has < 0)
			return -1;
		if (!has)
			continue;
		if (b->dw->dwarf_tag(die) == DW_TAG_inlined_subroutine)
			return 1;
		if (b->dw->dwarf_haschildren(die)) {	/* the first child itself is passed over */
			if (b->dw->dwarf_child(die, &child) != 0)
				return -1;
			*die = child;
		}
	} while (next_die(b->dw, die, &inside));
	return has;
}

static bool
number_of(const struct tn_libdw *dw, struct tn_dw_die *die, unsigned name, uint64_t *out)
{
	struct tn_dw_attribute attribute;

	return dw->dwarf_attr(die, name, &attribute) && dw->dwarf_formudata(&attribute, out) == 0;
}

/* 1: the line is found, 0: not here, -1: the unit cannot be read. */
static int
find_call(struct binary *b, struct tn_dw_die *unit, uint64_t at)
{
	struct tn_dw_files *files;
	struct tn_dw_die die;
	const char *path;
	uint64_t file, line;
	size_t n;
	int got = find_function(b, unit, at, &die);

	if (got == 1)
		got = find_inlined(b, at, &die);
	if (got != 1)
		return got;
	if (!number_of(b->dw, &die, DW_AT_call_file, &file) || b->dw->dwarf_getsrcfiles(unit, &files, &n) != 0 || file >= n ||
	    !(path = b->dw->dwarf_filesrc(files, (size_t)file, NULL, NULL)) || !number_of(b->dw, &die, DW_AT_call_line, &line))
		return -1;
	put_source(b, path, line);
	return 1;
}

static int
find_line(struct binary *b, struct tn_dw_die *unit, uint64_t at)
{
	struct tn_dw_line *row = b->dw->dwarf_getsrc_die(unit, at);
	const char *path;
	uint64_t begin;
	int line;

	if (!row)
		return 0;
	if (b->dw->dwarf_lineaddr(row, &begin) != 0 || !(path = b->dw->dwarf_linesrc(row, NULL, NULL)))
		return -1;
	if (begin != at && !b->any_line)
		return 0;
	if (b->dw->dwarf_lineno(row, &line) != 0)
		return -1;
	put_source(b, path, (uint64_t)line);
	return 1;
}

/* ---- an address ---- */

/* The units one after the other, until @find gives something else than 0. */
static void
each_unit(struct binary *b, uint64_t at, int (*find)(struct binary *b, struct tn_dw_die *unit, uint64_t at))
{
	uint64_t offset = 0, next;
	size_t header;

	while (b->dw->dwarf_nextcu(b->dwarf, offset, &next, &header, NULL, NULL, NULL) == 0) {
		struct tn_dw_die unit;

		if (!b->dw->dwarf_offdie(b->dwarf, offset + header, &unit) || find(b, &unit, at) != 0 || next <= offset)
			return;
		offset = next;
	}
}

static int
name_in_unit(struct binary *b, struct tn_dw_die *unit, uint64_t at)
{
	struct tn_dw_die die;
	uint64_t begin;
	const char *name;
	int got = find_function(b, unit, at, &die);

	if (got != 1)
		return got;
	name = b->dw->dwarf_diename(&die);
	if (!name || b->dw->dwarf_lowpc(&die, &begin) != 0)
		return -1;
	put_function(b, name, begin, at);
	return 1;
}

static int
source_in_unit(struct binary *b, struct tn_dw_die *unit, uint64_t at)
{
	int got = b->any_line ? 0 : find_call(b, unit, at);

	return got ? got : find_line(b, unit, at);
}

/* The address of a byte of the file, by its program headers; with @back the byte of an address. */
static uint64_t
address_of(int fd, uint64_t offset, bool back)
{
	Elf64_Ehdr head;

	if (fd < 0 || pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head || head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    head.e_phentsize != sizeof(Elf64_Phdr))
		return offset;
	for (size_t i = 0; i < head.e_phnum; i++) {
		Elf64_Phdr p;
		uint64_t from, to;

		if (pread(fd, &p, sizeof p, (off_t)(head.e_phoff + i * sizeof p)) != (ssize_t)sizeof p)
			break;
		from = back ? p.p_vaddr : p.p_offset;
		to = back ? p.p_offset : p.p_vaddr;
		if (p.p_type == PT_LOAD && offset >= from && offset - from < p.p_filesz)
			return to + (offset - from);
	}
	return offset;
}

static bool
send_all(int socket, const void *bytes, size_t n)
{
	for (const char *at = bytes; n;) {
		ssize_t sent = send(socket, at, n, MSG_NOSIGNAL);

		if (sent <= 0)
			return false;
		at += sent;
		n -= (size_t)sent;
	}
	return true;
}

/* ---- all functions ---- */

struct lister {
	struct binary *b;
	int socket;
	bool offsets;		/* places in the file are wanted */
	bool failed;
	size_t n;
	char room[1 << 16];
};

static void
list_bytes(struct lister *l, const void *bytes, size_t n)
{
	if (sizeof l->room - l->n < n) {
		l->failed |= !send_all(l->socket, l->room, l->n);
		l->n = 0;
	}
	memcpy(l->room + l->n, bytes, n);
	l->n += n;
}

/* @high 0: unknown. */
static void
list_function(struct lister *l, uint64_t low, uint64_t high, const char *name)
{
	struct tn_helper_function f = { .low = low, .high = high, .n = (uint32_t)strnlen(name, TN_HELPER_TEXT) };

	if (l->offsets) {
		f.low = address_of(l->b->work->fd[0], low, true);
		f.high = high ? f.low + (high - low) : 0;
	}
	list_bytes(l, &f, sizeof f);
	list_bytes(l, name, f.n);
}

static void
list_units(struct lister *l)
{
	const struct tn_libdw *dw = l->b->dw;
	uint64_t at = 0, next;
	size_t header;

	for (; !l->failed && dw->dwarf_nextcu(l->b->dwarf, at, &next, &header, NULL, NULL, NULL) == 0 && next > at; at = next) {
		struct tn_dw_die die;
		bool inside = false;

		if (!dw->dwarf_offdie(l->b->dwarf, at + header, &die))
			return;
		while (!l->failed && next_die(dw, &die, &inside)) {
			uint64_t base, low, high;
			ptrdiff_t range = 0;
			const char *name;

			if (dw->dwarf_tag(&die) == DW_TAG_invalid)
				return;
			if (dw->dwarf_tag(&die) != DW_TAG_subprogram || !(name = dw->dwarf_diename(&die)))
				continue;
			while (!l->failed && (range = dw->dwarf_ranges(&die, range, &base, &low, &high)) > 0)
				if (low < high)
					list_function(l, low, high - 1, name);
		}
	}
}

/* Of the first table of symbols, as find_symbol(). */
static void
list_symbols(struct lister *l)
{
	const struct binary *b = l->b;
	struct tn_elf_section *section = NULL;
	Elf64_Shdr head = { 0 };
	struct tn_elf_data *data;

	while (b->elf && (section = b->dw->elf_nextscn(b->elf, section)))
		if (!b->dw->gelf_getshdr(section, &head) || head.sh_type == SHT_SYMTAB)
			break;
	if (!b->elf || !section || head.sh_type != SHT_SYMTAB || !head.sh_entsize || !(data = b->dw->elf_getdata(section, NULL)))
		return;
	for (uint64_t i = 0; !l->failed && i < head.sh_size / head.sh_entsize && i <= INT32_MAX; i++) {
		Elf64_Sym sym;
		const char *name;

		if (!b->dw->gelf_getsym(data, (int)i, &sym))
			return;
		if (ELF64_ST_TYPE(sym.st_info) == STT_FUNC && (name = b->dw->elf_strptr(b->elf, head.sh_link, sym.st_name)))
			list_function(l, sym.st_value, 0, name);
	}
}

static bool
list_functions(struct binary *b, int socket, bool offsets)
{
	struct tn_helper_function end = {
		.n = TN_HELPER_END, .flags = (b->mismatch ? TN_HELPER_MISMATCH : 0) | (b->elf ? TN_HELPER_HAS_FILE : 0),
	};
	struct lister *l = calloc(1, sizeof *l);
	bool ok;

	if (!l)
		return false;
	l->b = b;
	l->socket = socket;
	l->offsets = offsets;
	if (!b->mismatch && b->dwarf)
		list_units(l);
	else if (!b->mismatch)
		list_symbols(l);
	list_bytes(l, &end, sizeof end);
	ok = !l->failed && send_all(socket, l->room, l->n);
	free(l);
	return ok;
}

void
tn_helper_run(const struct tn_libdw *dw, const struct tn_helper_work *work, int socket)
{
	struct binary *b = calloc(1, sizeof *b);
	struct tn_helper_question q;

	if (!b)
		return;
	b->dw = dw;
	b->work = work;
	open_all(b);
	while (recv(socket, &q, sizeof q, MSG_WAITALL) == (ssize_t)sizeof q) {
		if (q.how & TN_HELPER_FUNCTIONS) {
			if (!list_functions(b, socket, q.how & TN_HELPER_OFFSET))
				break;
			continue;
		}
		b->any_line = q.how & TN_HELPER_ANY_LINE;
		q.address = q.how & TN_HELPER_OFFSET ? address_of(work->fd[0], q.address, false) : q.address;
		b->answer = (struct tn_helper_answer) { .flags = b->mismatch ? TN_HELPER_MISMATCH : 0 };
		if (!b->mismatch && b->dwarf) {
			each_unit(b, q.address, name_in_unit);
			each_unit(b, q.address, source_in_unit);
		} else if (!b->mismatch) {
			find_symbol(b, q.address);
		}
		if (!send_all(socket, &b->answer, sizeof b->answer) || !send_all(socket, b->function, b->answer.n_function) ||
		    !send_all(socket, b->source, b->answer.n_source))
			break;
	}
	free(b);
}
