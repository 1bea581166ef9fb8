lib_libtnav_core_la_SOURCES += \
	%D%/codes.c \
	%D%/codes.h \
	%D%/compare.c \
	%D%/compare.h \
	%D%/items.c \
	%D%/items.h \
	%D%/kept.c \
	%D%/kept.h \
	%D%/rows.c \
	%D%/statistics.c \
	%D%/statistics.h \
	%D%/factors.c \
	%D%/factors.h \
	%D%/findings.c \
	%D%/findings.h \
	%D%/table.c \
	%D%/why.c \
	%D%/why.h \
	%D%/why_around.c \
	%D%/why_around.h \
	%D%/why_events.c \
	%D%/why_fields.c
