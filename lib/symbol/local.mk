lib_libtnav_core_la_SOURCES += \
	%D%/functions.c \
	%D%/helper.c \
	%D%/helper.h \
	%D%/helper_dwarf.c \
	%D%/library.c \
	%D%/library.h \
	%D%/map.c \
	%D%/mappings.c \
	%D%/mappings.h \
	%D%/symbols.c \
	%D%/symbols.h
