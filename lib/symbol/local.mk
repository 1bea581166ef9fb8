lib_libtnav_core_la_SOURCES += \
	%D%/debug.h \
	%D%/demangle.c \
	%D%/demangle_rust.c \
	%D%/functions.c \
	%D%/helper.c \
	%D%/helper.h \
	%D%/helper_babeltrace.c \
	%D%/helper_functions.c \
	%D%/helper_process.c \
	%D%/library.c \
	%D%/library.h \
	%D%/map.c \
	%D%/mappings.c \
	%D%/mappings.h \
	%D%/symbols.c \
	%D%/symbols.h
