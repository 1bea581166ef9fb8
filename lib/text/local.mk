lib_libtnav_core_la_SOURCES += \
	%D%/direct.c %D%/direct.h %D%/direct_field.h %D%/direct_run.c \
	%D%/json.c %D%/json.h \
	%D%/line.c %D%/line.h \
	%D%/notice.c \
	%D%/number.c \
	%D%/put.c %D%/put.h \
	%D%/safe.c \
	%D%/stamp.h \
	%D%/text.c %D%/text.h \
	%D%/time.c \
	%D%/time_parse.c \
	%D%/value.c
