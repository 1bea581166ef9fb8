lib_libtnav_core_la_SOURCES += \
	%D%/lanes.c \
	%D%/lanes.h \
	%D%/lanes_define.c \
	%D%/lanes_event.c \
	%D%/lanes_gather.c \
	%D%/lanes_guess.c \
	%D%/lanes_memory.c \
	%D%/lanes_memory.h \
	%D%/lanes_picture.c \
	%D%/lanes_recall.c \
	%D%/lanes_run.c \
	%D%/lanes_search.c \
	%D%/lanes_seeds.c \
	%D%/lanes_shares.c
