/* helper_process.c - the work of the helper process: files, questions, answers */
#include "symbol/debug.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- files ---- */

static struct tn_elf *
open_elf(const struct tn_libdw *dw, int fd)
{
	struct tn_elf *elf = fd < 0 ? NULL : dw->elf_begin(fd, ELF_C_READ, NULL);

	return elf && dw->elf_kind(elf) == ELF_K_ELF ? elf : NULL;
}

/* The last note with a build id decides; a section has only one. */
static bool
has_build_id(const struct tn_debug *d)
{
	struct tn_elf_section *section = NULL;
	bool same = false;

	if (!d->elf)
		return false;
	while ((section = d->dw->elf_nextscn(d->elf, section))) {
		struct tn_elf_data *data;
		Elf64_Shdr head;
		Elf64_Nhdr note;
		size_t name, text;

		if (!d->dw->gelf_getshdr(section, &head))
			return same;
		if (head.sh_type != SHT_NOTE)
			continue;
		data = d->dw->elf_getdata(section, NULL);
		if (!data)
			return same;
		if (!d->dw->gelf_getnote(data, 0, &note, &name, &text) || note.n_type != NT_GNU_BUILD_ID ||
		    note.n_namesz != sizeof "GNU" || name > data->size || data->size - name < sizeof "GNU" ||
		    memcmp((char *)data->bytes + name, "GNU", sizeof "GNU") != 0)
			continue;
		same = d->work->build_id_size && text <= data->size && data->size - text >= d->work->build_id_size &&
		       memcmp((char *)data->bytes + text, d->work->build_id, d->work->build_id_size) == 0;
		if (!same)
			break;
	}
	return same;
}

/* Open the DWARF data of a file, if it has at least one unit. */
static struct tn_dw *
open_dwarf(const struct tn_libdw *dw, int fd)
{
	struct tn_dw *dwarf = fd < 0 ? NULL : dw->dwarf_begin(fd, DWARF_C_READ);
	size_t header;
	uint64_t next;

	return dwarf && dw->dwarf_nextcu(dwarf, 0, &next, &header, NULL, NULL, NULL) == 0 ? dwarf : NULL;
}

/* Whether the CRC-32 of the whole file is the checksum of the debug link. */
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

/* Open the ELF file, the debug file of its build id, or the first file of its debug link that has the right checksum. */
static void
open_all(struct tn_debug *d)
{
	const int *fd = d->work->fd;

	d->dw->elf_version(EV_CURRENT);
	d->elf = open_elf(d->dw, fd[0]);
	d->mismatch = d->work->build_id && !has_build_id(d);
	if (d->mismatch)
		return;
	d->dwarf = open_dwarf(d->dw, fd[0]);
	if (!d->dwarf)
		d->dwarf = open_dwarf(d->dw, fd[1]);
	for (int i = 2; !d->dwarf && i < TN_HELPER_OWN_ID; i++)
		if (has_crc(fd[i], d->work->crc)) {
			d->dwarf = open_dwarf(d->dw, fd[i]);
			break;
		}
	/* babeltrace2 does not use this file. */
	d->readable = d->dwarf ? d->dwarf : open_dwarf(d->dw, fd[TN_HELPER_OWN_ID]);
}

/* ---- answers ---- */

/* Convert a position in the file to an address by the program headers; with @back, an address to a position. */
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
	struct tn_debug *d;
	int socket;
	bool offsets;		/* positions in the file are wanted, not addresses */
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

static bool
list_function(void *user, uint64_t low, uint64_t high, const char *name)
{
	struct lister *l = user;
	struct tn_helper_function f = { .low = low, .high = high, .n = (uint32_t)strnlen(name, TN_HELPER_TEXT) };

	if (l->offsets) {
		f.low = address_of(l->d->work->fd[0], low, true);
		f.high = f.low + (high - low);
	}
	list_bytes(l, &f, sizeof f);
	list_bytes(l, name, f.n);
	return !l->failed;
}

static bool
list_functions(struct tn_debug *d, int socket, bool offsets)
{
	struct tn_helper_function end = {
		.n = TN_HELPER_END, .flags = (d->mismatch ? TN_HELPER_MISMATCH : 0) | (d->elf ? TN_HELPER_HAS_FILE : 0),
	};
	struct lister *l = calloc(1, sizeof *l);
	bool ok;

	if (!l)
		return false;
	l->d = d;
	l->socket = socket;
	l->offsets = offsets;
	if (!d->mismatch)
		tn_debug_functions(d, list_function, l);
	list_bytes(l, &end, sizeof end);
	ok = !l->failed && send_all(socket, l->room, l->n);
	free(l);
	return ok;
}

static bool
answer(struct tn_debug *d, const struct tn_helper_question *q, int socket)
{
	uint64_t address = q->how & TN_HELPER_OFFSET ? address_of(d->work->fd[0], q->address, false) : q->address;
	bool ok;

	d->answer = (struct tn_helper_answer) { .flags = d->mismatch ? TN_HELPER_MISMATCH : 0 };
	if (!d->mismatch && q->how & TN_HELPER_READABLE)
		tn_debug_names(d, address);
	else if (!d->mismatch)
		tn_debug_info(d, address);
	ok = send_all(socket, &d->answer, sizeof d->answer);
	for (int i = 0; i < TN_HELPER_TEXTS && ok; i++)
		ok = send_all(socket, d->text[i], d->answer.n[i]);
	return ok;
}

void
tn_helper_run(const struct tn_libdw *dw, const struct tn_helper_work *work, int socket)
{
	struct tn_debug *d = calloc(1, sizeof *d);
	struct tn_helper_question q;
	bool ok = d != NULL;

	if (d) {
		d->dw = dw;
		d->work = work;
		open_all(d);
	}
	/* The memory is freed when the process ends. */
	while (ok && recv(socket, &q, sizeof q, MSG_WAITALL) == (ssize_t)sizeof q)
		ok = q.how & TN_HELPER_FUNCTIONS ? list_functions(d, socket, q.how & TN_HELPER_OFFSET) : answer(d, &q, socket);
}
