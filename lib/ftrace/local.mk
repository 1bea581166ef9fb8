lib_libtnav_core_la_SOURCES += \
	%D%/format.c %D%/format.h \
	%D%/names.c %D%/names.h \
	%D%/page.c %D%/page.h \
	%D%/print.c \
	%D%/read.c \
	%D%/rows.c %D%/rows.h \
	%D%/syscalls.c %D%/syscalls.def \
	%D%/types.c %D%/types.h
