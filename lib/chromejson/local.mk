lib_libtnav_core_la_SOURCES += \
	%D%/chromejson.c %D%/chromejson.h \
	%D%/members.c \
	%D%/learn.c \
	%D%/model.c \
	%D%/private.h \
	%D%/read.c \
	%D%/scan.c \
	%D%/shape.c \
	%D%/sort.c \
	%D%/store.c \
	%D%/text.c %D%/text.h
