lib_libtnav_core_la_SOURCES += \
	%D%/model.c \
	%D%/private.h \
	%D%/read.c \
	%D%/record.c %D%/record.h \
	%D%/start.c \
	%D%/vartrace.c %D%/vartrace.h
