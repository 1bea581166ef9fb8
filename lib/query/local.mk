lib_libtnav_core_la_SOURCES += \
	%D%/ahead.c %D%/ahead.h \
	%D%/chunk.c %D%/chunk.h \
	%D%/condition_foresee.c \
	%D%/condition.c %D%/condition.h \
	%D%/condition_run.c \
	%D%/count.c \
	%D%/crew.c %D%/crew.h \
	%D%/cursor_line.c \
	%D%/export.c %D%/export.h \
	%D%/export_stream.c \
	%D%/expression.c %D%/expression.h \
	%D%/expression_check.c \
	%D%/expression_decide.c \
	%D%/expression_parse.c %D%/expression_tree.h \
	%D%/expression_signs.c \
	%D%/field.c %D%/field.h \
	%D%/filter.c %D%/filter.h \
	%D%/forecast.c %D%/forecast.h %D%/left_out.c %D%/left_out.h \
	%D%/kinds.c %D%/kinds.h \
	%D%/known.c %D%/known.h \
	%D%/language_words.c \
	%D%/lesson.c %D%/lesson.h \
	%D%/lesson_field.c \
	%D%/lesson_lines.c \
	%D%/lesson_text.c \
	%D%/literal.c \
	%D%/names.c %D%/names.h %D%/names_attributes.c %D%/nearest.c \
	%D%/pattern.c %D%/pattern.h \
	%D%/prefilter.c %D%/prefilter.h \
	%D%/question.c %D%/question.h \
	%D%/regex.c %D%/regex.h \
	%D%/scan.c \
	%D%/slices.c %D%/slices.h \
	%D%/text_hash.h \
	%D%/values.c %D%/values.h
