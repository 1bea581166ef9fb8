lib_libtnav_core_la_SOURCES += \
	%D%/ctf2_text.c \
	%D%/draft.c %D%/draft.h %D%/draft_check.c %D%/draft_finish.c %D%/draft_make.h \
	%D%/encode.c %D%/encode.h %D%/encode_compile.c \
	%D%/new_file.c %D%/new_folder.c \
	%D%/outfile.c %D%/outfile.h \
	%D%/packet_writer.c \
	%D%/recode.c %D%/recode.h %D%/recode_stream.c %D%/recode_type.c \
	%D%/recorder.c \
	%D%/repack.c \
	%D%/sink.c %D%/sink.h \
	%D%/trace_writer.c \
	%D%/tsdl_text.c \
	%D%/unfinished.c %D%/unfinished.h
