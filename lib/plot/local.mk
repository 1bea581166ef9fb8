lib_libtnav_core_la_SOURCES += \
	%D%/gather.c %D%/fine_cells.c %D%/fine_cells.h \
	%D%/picture.c %D%/plot.c %D%/plot.h
