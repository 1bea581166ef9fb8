lib_libtnav_core_la_SOURCES += \
	%D%/chunks.c %D%/chunks.h \
	%D%/clock.c %D%/clock.h \
	%D%/file.c %D%/file.h \
	%D%/model.c \
	%D%/options.c \
	%D%/private.h \
	%D%/tracedat.c %D%/tracedat.h
