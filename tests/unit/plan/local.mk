tests_unit_unit_SOURCES += \
	%D%/test_plan.c %D%/test_random.c \
	%D%/types.c %D%/types.h \
	%D%/world.c %D%/world.h
