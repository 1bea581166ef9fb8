#include "ovni_maker.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

bool
maker_folder(const char *path)
{
	char part[PATH_MAX];
	size_t n = strlen(path);

	if (n >= sizeof part)
		return false;
	memcpy(part, path, n + 1);
	for (size_t i = 1; i <= n; i++) {
		if (part[i] != '/' && part[i])
			continue;
		part[i] = '\0';
		if (mkdir(part, 0777) < 0 && errno != EEXIST)
			return false;
		part[i] = path[i];
	}
	return true;
}

static FILE *
create(const char *folder, const char *name)
{
	char path[PATH_MAX];

	if (!maker_folder(folder) || (size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path)
		return NULL;
	return fopen(path, "wb");
}

bool
maker_file(const char *folder, const char *name, const void *bytes, size_t n)
{
	FILE *f = create(folder, name);
	bool ok = f && fwrite(bytes, 1, n, f) == n;

	return f && fclose(f) == 0 && ok;
}

bool
maker_text(const char *folder, const char *name, const char *text)
{
	return maker_file(folder, name, text, strlen(text));
}

bool
ovni_json(const char *folder, const char *loom, int pid, int tid, const char *more)
{
	char text[8192];

	snprintf(text, sizeof text,
		 "{ \"version\": 3, \"ovni\": { \"lib\": { \"version\": \"1.14.0\", \"commit\": \"unknown\" },\n"
		 "  \"part\": \"thread\", \"tid\": %d, \"pid\": %d, \"loom\": \"%s\", \"app_id\": 1,\n"
		 "  \"loom_cpus\": [ { \"index\": 0, \"phyid\": 0 }, { \"index\": 1, \"phyid\": 2 } ],\n"
		 "  %s%s\"finished\": 1 } }\n", tid, pid, loom,
		 strstr(more, "\"require\"") ? "" : "\"require\": { \"ovni\": \"1.1.0\", \"nosv\": \"2.7.0\" }, ", more);
	return maker_text(folder, "stream.json", text);
}

uint8_t *
ovni_put(const struct ovni_maker *m, uint8_t *at, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		at[m->big_endian ? bytes - 1 - i : i] = (uint8_t)(value >> 8 * i);
	return at + bytes;
}

bool
ovni_begin(struct ovni_maker *m, const char *folder, bool big_endian)
{
	uint8_t version[4];

	m->big_endian = big_endian;
	m->file = create(folder, "stream.obs");
	if (!m->file)
		return false;
	ovni_put(m, version, 1, 4);
	fwrite("ovni", 1, 4, m->file);
	fwrite(version, 1, 4, m->file);
	return true;
}

bool
ovni_end(struct ovni_maker *m)
{
	bool ok = !ferror(m->file);

	return fclose(m->file) == 0 && ok;
}

static void
put_header(struct ovni_maker *m, unsigned flags, const char *mcv, uint64_t clock)
{
	uint8_t head[12] = { (uint8_t)flags, (uint8_t)mcv[0], (uint8_t)mcv[1], (uint8_t)mcv[2] };

	ovni_put(m, head + 4, clock, 8);
	fwrite(head, 1, sizeof head, m->file);
}

void
ovni_event(struct ovni_maker *m, const char *mcv, uint64_t clock, const void *payload, size_t n)
{
	put_header(m, n ? (unsigned)n - 1 : 0, mcv, clock);
	fwrite(payload ? payload : "", 1, n, m->file);
}

void
ovni_jumbo(struct ovni_maker *m, const char *mcv, uint64_t clock, const void *data, size_t n)
{
	uint8_t size[4];

	put_header(m, 0x13, mcv, clock);
	ovni_put(m, size, n, 4);
	fwrite(size, 1, 4, m->file);
	fwrite(data, 1, n, m->file);
}
