lib_libtnav_core_la_SOURCES += \
	%D%/plot.c
