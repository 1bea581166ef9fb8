#include <config.h>

#include "archive/library.h"

#include <dlfcn.h>
#include <string.h>

enum tn_code
tn_libarchive_load(struct tn_libarchive *la, const char *path, struct tn_error *err)
{
	static const char *const names[] = {
#define X(call) "archive_" #call,
		TN_LIBARCHIVE_CALLS(X)
#undef X
	};
	void *calls[sizeof names / sizeof *names];

	*la = (struct tn_libarchive) { .handle = dlopen(LIBARCHIVE_SONAME, RTLD_NOW | RTLD_LOCAL) };
	if (!la->handle)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: archives need %s, which is not installed (Debian package "
			       "libarchive13): install it, or unpack or pack it with tar(1)", path, LIBARCHIVE_SONAME);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		calls[i] = dlsym(la->handle, names[i]);
		if (!calls[i]) {
			tn_libarchive_unload(la);
			return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: %s has no %s(): install a newer version to read or write "
				       "archives", path, LIBARCHIVE_SONAME, names[i]);
		}
	}
	/* The functions are the members of the structure after `handle`, in the order of the names. */
	_Static_assert(sizeof *la == sizeof la->handle + sizeof calls, "nothing but calls behind the handle");
	memcpy((char *)la + sizeof la->handle, calls, sizeof calls);
	return TN_OK;
}

void
tn_libarchive_unload(struct tn_libarchive *la)
{
	if (la->handle)
		dlclose(la->handle);
	*la = (struct tn_libarchive) { 0 };
}

void
tn_archive_name(const struct tn_libarchive *la, struct archive_entry *entry, const char *name)
{
	const char *given = name ? la->entry_pathname(entry) : NULL;

	if (given && strcmp(given, "data") == 0)
		la->entry_set_pathname(entry, name);
}
