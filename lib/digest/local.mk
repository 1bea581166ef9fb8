lib_libtnav_core_la_SOURCES += \
	%D%/digest_cache.c %D%/digest.h \
	%D%/digest_file.c \
	%D%/answer_file.c %D%/answer_file.h \
	%D%/counts.c %D%/counts.h \
	%D%/slices.c %D%/slices.h \
	%D%/tail.c %D%/tail.h \
	%D%/text_filter.c %D%/text_filter.h \
	%D%/zone_map.c %D%/zone_map.h
