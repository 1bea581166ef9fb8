lib_libtnav_core_la_SOURCES += \
	%D%/compare.c \
	%D%/compare.h \
	%D%/items.c \
	%D%/items.h \
	%D%/rows.c \
	%D%/statistics.c \
	%D%/statistics.h
