tests_unit_unit_SOURCES += \
	%D%/test_clock.c %D%/test_clock_cycles.c %D%/test_labels.c \
	%D%/test_loss.c %D%/test_marker.c %D%/test_path.c %D%/test_summary.c %D%/test_trace.c %D%/test_type.c %D%/test_value.c
