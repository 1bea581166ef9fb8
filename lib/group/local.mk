lib_libtnav_core_la_SOURCES += \
	%D%/aggregate.c \
	%D%/aggregate.h \
	%D%/aggregate_growing.c \
	%D%/aggregate_state.h \
	%D%/group_spans.c \
	%D%/groups.c \
	%D%/groups.h \
	%D%/groups_columns.c \
	%D%/groups_count.c \
	%D%/groups_rows.c \
	%D%/groups_rows.h \
	%D%/groups_sort.c \
	%D%/nicknames.c \
	%D%/nicknames.def \
	%D%/nicknames.h \
	%D%/nicknames_list.c \
	%D%/nicknames_read.c \
	%D%/numbers.c \
	%D%/numbers.h \
	%D%/ready_question.c \
	%D%/sketch.c \
	%D%/sketch.h \
	%D%/group_table.c \
	%D%/group_table.h \
	%D%/group_table_store.c
