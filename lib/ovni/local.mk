lib_libtnav_core_la_SOURCES += \
	%D%/catalogue.c %D%/catalogue.h %D%/events.def \
	%D%/check.c \
	%D%/metadata.c \
	%D%/model.c \
	%D%/offsets.c \
	%D%/ovni.c %D%/ovni.h \
	%D%/pairs.c \
	%D%/parts.c \
	%D%/private.h \
	%D%/read.c \
	%D%/scan.c \
	%D%/walk.c
