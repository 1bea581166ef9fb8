lib_libtnav_core_la_SOURCES += \
	%D%/class_words.c %D%/class_words.h \
	%D%/columns.c %D%/columns.h \
	%D%/direct.c %D%/direct.h %D%/direct_field.h %D%/direct_make.h %D%/direct_run.c %D%/direct_enter.c \
	%D%/direct_copy.c \
	%D%/head.c %D%/head.h \
	%D%/json_value.c %D%/json_value.h \
	%D%/line.c %D%/line.h \
	%D%/notice.c \
	%D%/number.c \
	%D%/put.c %D%/put.h \
	%D%/debug_info.c \
	%D%/debug_info.h \
	%D%/data_row.c %D%/data_row.h %D%/data_row_make.c %D%/data_row_run.c \
	%D%/rows.c %D%/rows.h \
	%D%/safe.c \
	%D%/sink.h %D%/sink_run.h \
	%D%/stamp.h \
	%D%/direct_template.c %D%/direct_template.h %D%/direct_template_run.h \
	%D%/text.c %D%/text.h \
	%D%/time.c \
	%D%/time_parse.c \
	%D%/value.c
