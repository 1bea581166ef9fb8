lib_libtnav_core_la_SOURCES += \
	%D%/classes.c \
	%D%/classes.h \
	%D%/condition.c \
	%D%/condition.h \
	%D%/condition_run.c \
	%D%/expression.c \
	%D%/expression.h \
	%D%/expression_check.c \
	%D%/expression_decide.c \
	%D%/expression_parse.c \
	%D%/expression_signs.c \
	%D%/expression_tree.h \
	%D%/field.c \
	%D%/field.h \
	%D%/kinds.c \
	%D%/kinds.h \
	%D%/literal.c \
	%D%/names.c \
	%D%/names.h \
	%D%/names_attributes.c \
	%D%/names_index.h \
	%D%/names_offer.c \
	%D%/nearest.c \
	%D%/regex.c \
	%D%/regex.h \
	%D%/take.c \
	%D%/take.h
