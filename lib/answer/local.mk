lib_libtnav_core_la_SOURCES += \
	%D%/asked.c \
	%D%/asked.h \
	%D%/keeping.c \
	%D%/keeping.h \
	%D%/table.c \
	%D%/value.c
