lib_libtnav_core_la_SOURCES += \
	%D%/demangle.c \
	%D%/text_files.c \
	%D%/kernel.c \
	%D%/names.c \
	%D%/private.h \
	%D%/rows.c \
	%D%/specs.c \
	%D%/uftrace.c %D%/uftrace.h
