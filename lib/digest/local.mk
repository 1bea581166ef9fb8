lib_libtnav_core_la_SOURCES += \
	%D%/digest.c %D%/digest.h \
	%D%/digest_file.c \
	%D%/kept.c %D%/kept.h
