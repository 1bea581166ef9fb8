lib_libtnav_core_la_SOURCES += %D%/ctf2_text.c %D%/draft.c %D%/draft.h %D%/encode.c %D%/encode.h %D%/encode_compile.c \
	%D%/packet_writer.c %D%/recorder.c %D%/trace_writer.c %D%/tsdl_text.c \
	%D%/new_file.c %D%/new_folder.c %D%/unfinished.c %D%/unfinished.h %D%/outfile.c %D%/outfile.h %D%/recode.c %D%/recode.h %D%/recode_type.c %D%/repack.c %D%/sink.c %D%/sink.h
