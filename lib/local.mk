# libtnav-core is all of the library with its inside visible: the program and the tests link it.
# The installed libtnav is made of it and exports only what TN_API marks.
noinst_LTLIBRARIES += lib/libtnav-core.la
lib_libtnav_core_la_CPPFLAGS = $(AM_CPPFLAGS) -DTN_MESSAGES=\"$(pkgdatadir)/locale\" $(ARCHIVE_CFLAGS) $(PCRE2_CFLAGS)
lib_libtnav_core_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
lib_libtnav_core_la_LIBADD = $(PCRE2_LIBS) $(UNISTRING_LIBS) -lm
lib_libtnav_core_la_SOURCES =

# current:revision:age, see "Updating version info" of libtool's manual: a change of the interface
# that breaks programs raises current and sets age to 0.
lib_LTLIBRARIES += lib/libtnav.la
lib_libtnav_la_SOURCES =
lib_libtnav_la_LIBADD = lib/libtnav-core.la
lib_libtnav_la_LDFLAGS = -version-info 0:0:0 -no-undefined
if HAVE_VERSION_SCRIPT
lib_libtnav_la_LDFLAGS += -Wl,--version-script=$(srcdir)/lib/libtnav.map
lib_libtnav_la_DEPENDENCIES = lib/libtnav-core.la lib/libtnav.map
else
lib_libtnav_la_LDFLAGS += -export-symbols-regex '^tn_'
endif
EXTRA_DIST += lib/libtnav.map
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = lib/libtnav.pc

include lib/include/local.mk
include lib/base/local.mk
include lib/model/local.mk
include lib/plan/local.mk
include lib/ctf/local.mk
include lib/ovni/local.mk
include lib/vartrace/local.mk
include lib/ftrace/local.mk
include lib/perfdata/local.mk
include lib/tracedat/local.mk
include lib/chromejson/local.mk
include lib/perfetto/local.mk
include lib/uftrace/local.mk
include lib/index/local.mk
include lib/digest/local.mk
include lib/archive/local.mk
include lib/live/local.mk
include lib/text/local.mk
include lib/write/local.mk
include lib/order/local.mk
include lib/set/local.mk
include lib/language/local.mk
include lib/scan/local.mk
include lib/answer/local.mk
include lib/export/local.mk
include lib/span/local.mk
include lib/group/local.mk
include lib/compare/local.mk
include lib/lane/local.mk
include lib/stack/local.mk
include lib/columns/local.mk
include lib/symbol/local.mk
include lib/plot/local.mk
