lib_libtnav_core_la_SOURCES += \
	%D%/batches.c %D%/batches.h \
	%D%/index_cache.c %D%/index_cache.h \
	%D%/key.c %D%/key.h \
	%D%/packet_index.c %D%/packet_index.h \
	%D%/stored_scan.c %D%/stored_scan.h
