lib_libtnav_core_la_SOURCES += \
	%D%/batch.c %D%/decoder.h %D%/build.c %D%/build.h \
	%D%/clock.c \
	%D%/find.c \
	%D%/functions.h \
	%D%/kernel_pairs.c %D%/pairs.h \
	%D%/labels.c %D%/labels.h \
	%D%/log_level.c \
	%D%/loss.c %D%/loss.h \
	%D%/marker.c %D%/marker.h \
	%D%/path.c %D%/path.h \
	%D%/trace.c %D%/trace.h \
	%D%/type.c %D%/type.h \
	%D%/value.c
