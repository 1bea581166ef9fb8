lib_libtnav_core_la_SOURCES += \
	%D%/flame.c \
	%D%/stack_chains.c \
	%D%/stack_spans.c \
	%D%/stacks.c \
	%D%/stacks.h
