lib_libtnav_core_la_SOURCES += \
	%D%/client.c %D%/client.h \
	%D%/connection.c %D%/connection.h \
	%D%/live.c %D%/live.h \
	%D%/spool.c %D%/spool.h \
	%D%/url.c %D%/url.h \
	%D%/wire.c %D%/wire.h
