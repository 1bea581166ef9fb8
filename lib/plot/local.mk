lib_libtnav_core_la_SOURCES += \
	%D%/gather.c %D%/memory.c %D%/memory.h \
	%D%/picture.c %D%/plot.c %D%/plot.h
