lib_libtnav_core_la_SOURCES += \
	%D%/cursor.c %D%/cursor.h \
	%D%/flow.c %D%/flow.h \
	%D%/stream_iterator.c \
	%D%/merge.c %D%/merge.h \
	%D%/share.c
