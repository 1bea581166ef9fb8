lib_libtnav_core_la_SOURCES += \
	%D%/cell.h \
	%D%/choice.c \
	%D%/compile.c %D%/compile.h \
	%D%/machine.c %D%/machine.h %D%/run.h \
	%D%/plan.c %D%/plan.h \
	%D%/reach.c %D%/reach.h
