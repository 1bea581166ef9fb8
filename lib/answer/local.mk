lib_libtnav_core_la_SOURCES += \
	%D%/question_text.c \
	%D%/question_text.h \
	%D%/answer_cache.c \
	%D%/answer_cache.h \
	%D%/named.c \
	%D%/table.c \
	%D%/value.c
