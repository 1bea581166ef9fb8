lib_libtnav_core_la_SOURCES += \
	%D%/align.c \
	%D%/grow.c \
	%D%/retention.c \
	%D%/late.c \
	%D%/open.c \
	%D%/open.h \
	%D%/archives.c \
	%D%/search.c \
	%D%/search.h \
	%D%/set.c \
	%D%/set.h \
	%D%/settled.c
