lib_libtnav_core_la_SOURCES += \
	%D%/client.c %D%/client.h \
	%D%/socket.c %D%/socket.h \
	%D%/fetch.c \
	%D%/live.c %D%/live.h \
	%D%/metadata.c \
	%D%/note.c \
	%D%/request.c \
	%D%/spool.c %D%/spool.h \
	%D%/announced.c \
	%D%/url.c %D%/url.h \
	%D%/wire.c %D%/wire.h
