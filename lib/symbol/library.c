#include "symbol/library.h"

#include <dlfcn.h>
#include <string.h>

enum tn_code
tn_libdw_load(struct tn_libdw *dw, struct tn_error *err)
{
	static const char *const names[] = {
#define X(name, result, parameters) #name,
		TN_LIBDW_CALLS(X)
#undef X
	};
	void *calls[sizeof names / sizeof *names];

	*dw = (struct tn_libdw) { .handle = dlopen(TN_LIBDW_SONAME, RTLD_NOW | RTLD_LOCAL) };
	if (!dw->handle)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "function names need %s, which is not installed (Debian package "
			       "libdw1)", TN_LIBDW_SONAME);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		/* dlsym() also finds the functions of libelf, because libdw depends on it. */
		calls[i] = dlsym(dw->handle, names[i]);
		if (!calls[i]) {
			tn_libdw_unload(dw);
			return tn_fail(err, TN_ERR_UNSUPPORTED, "%s has no %s(): install a newer version to see function names",
				       TN_LIBDW_SONAME, names[i]);
		}
	}
	_Static_assert(sizeof *dw == offsetof(struct tn_libdw, dwarf_begin) + sizeof calls, "nothing but calls at the end");
	memcpy((char *)dw + offsetof(struct tn_libdw, dwarf_begin), calls, sizeof calls);
	dw->cxx = dlopen(TN_LIBSTDCXX_SONAME, RTLD_NOW | RTLD_LOCAL);
	calls[0] = dw->cxx ? dlsym(dw->cxx, "__cxa_demangle") : NULL;
	memcpy(&dw->demangle, calls, sizeof dw->demangle);
	return TN_OK;
}

void
tn_libdw_unload(struct tn_libdw *dw)
{
	if (dw->cxx)
		dlclose(dw->cxx);
	if (dw->handle)
		dlclose(dw->handle);
	*dw = (struct tn_libdw) { 0 };
}
