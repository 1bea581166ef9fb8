#include "base/compression.h"

#include <dlfcn.h>
#include <string.h>

enum tn_code
tn_unpacker_load(struct tn_unpacker *u, enum tn_compression how, const char *path, struct tn_error *err)
{
	const char *library = how == TN_COMPRESSION_ZLIB ? "libz.so.1" : "libzstd.so.1";
	const char *package = how == TN_COMPRESSION_ZLIB ? "zlib1g" : "libzstd1";
	void *call;

	*u = (struct tn_unpacker) { .how = how, .handle = dlopen(library, RTLD_NOW | RTLD_LOCAL) };
	if (!u->handle)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: the file is compressed, and %s is not installed: install the Debian "
			       "package %s", path, library, package);
	call = dlsym(u->handle, how == TN_COMPRESSION_ZLIB ? "uncompress" : "ZSTD_decompress");
	if (!call) {
		tn_unpacker_release(u);
		return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: %s is too old to unpack this file: install a newer "
							"version", path, library);
	}
	/* C does not convert pointers to data into pointers to functions, so copy the bytes. */
	if (how == TN_COMPRESSION_ZLIB)
		memcpy(&u->zlib, &call, sizeof call);
	else
		memcpy(&u->zstd, &call, sizeof call);
	return TN_OK;
}

bool
tn_unpacker_run(const struct tn_unpacker *u, uint8_t *out, size_t size, const uint8_t *in, size_t n)
{
	unsigned long made = size;

	if (u->zlib)
		return u->zlib(out, &made, in, n) == 0 && made == size;
	return u->zstd && u->zstd(out, size, in, n) == size;
}

void
tn_unpacker_release(struct tn_unpacker *u)
{
	if (u->handle)
		dlclose(u->handle);
	*u = (struct tn_unpacker) { 0 };
}

/* ---- packing ---- */

bool
tn_packer_load(struct tn_packer *p)
{
	struct { const char *name; void *call; size_t size; } calls[] = {
		{ "ZSTD_compressBound", &p->bound, sizeof p->bound }, { "ZSTD_isError", &p->is_error, sizeof p->is_error },
		{ "ZSTD_createCCtx", &p->begin, sizeof p->begin }, { "ZSTD_freeCCtx", &p->end, sizeof p->end },
		{ "ZSTD_compressCCtx", &p->run, sizeof p->run },
	};

	*p = (struct tn_packer) { .handle = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL) };
	if (!p->handle)
		return false;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		void *call = dlsym(p->handle, calls[i].name);

		if (!call) {
			tn_packer_release(p);
			return false;
		}
		memcpy(calls[i].call, &call, calls[i].size);
	}
	return true;
}

bool
tn_packer_run(const struct tn_packer *p, void **context, struct tn_str *out, const void *in, size_t n)
{
	size_t made;

	if (!*context)
		*context = p->begin();
	out->n = 0;
	if (!*context || !tn_str_reserve(out, p->bound(n)))
		return false;
	made = p->run(*context, out->text, out->room, in, n, 1);
	if (p->is_error(made))
		return false;
	out->n = made;
	return true;
}

void
tn_packer_drop(const struct tn_packer *p, void *context)
{
	if (context)
		p->end(context);
}

void
tn_packer_release(struct tn_packer *p)
{
	if (p->handle)
		dlclose(p->handle);
	*p = (struct tn_packer) { 0 };
}
