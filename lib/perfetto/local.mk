lib_libtnav_core_la_SOURCES += \
	%D%/bundle.c \
	%D%/clock.c \
	%D%/event.c \
	%D%/events.def %D%/packets.def \
	%D%/ftrace.c \
	%D%/annotations.c \
	%D%/model.c \
	%D%/packet.c \
	%D%/perfetto.c %D%/perfetto.h \
	%D%/private.h \
	%D%/scan.c \
	%D%/store.c \
	%D%/track.c \
	%D%/unpack.c \
	%D%/wire.c %D%/wire.h
