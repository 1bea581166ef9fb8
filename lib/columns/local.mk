lib_libtnav_core_la_SOURCES += \
	%D%/answers.c \
	%D%/column.c %D%/column.h \
	%D%/bounds.c %D%/encode.c %D%/encode_work.h %D%/encode.h \
	%D%/events.c \
	%D%/fields.c %D%/fields.h \
	%D%/hybrid.c %D%/hybrid.h \
	%D%/parquet.c %D%/parquet.h \
	%D%/rows.c %D%/rows.h \
	%D%/schema.c %D%/schema.h \
	%D%/thrift.c %D%/thrift.h
