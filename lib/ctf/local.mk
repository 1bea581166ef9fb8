# Packets, events, values
lib_libtnav_core_la_SOURCES += \
	%D%/alike.c %D%/alike.h \
	%D%/ctf.c %D%/ctf.h \
	%D%/finish.c %D%/finish.h \
	%D%/join.c \
	%D%/locate.c %D%/locate.h \
	%D%/lttng_index.c \
	%D%/numbering.c %D%/numbering.h \
	%D%/packet.c %D%/packet.h \
	%D%/pairs.c \
	%D%/read.c \
	%D%/scan.c \
	%D%/sweep.c \
	%D%/stream.h \
	%D%/walk.c %D%/walk_header.h \
	%D%/walk_notices.c %D%/walk_notices.h

# CTF 2 metadata
lib_libtnav_core_la_SOURCES += \
	%D%/ctf2.h %D%/ctf2_build.c %D%/ctf2_builder.h %D%/ctf2_class.c \
	%D%/ctf2_locate.c %D%/ctf2_place.c %D%/ctf2_range.c \
	%D%/ctf2_sequence.c %D%/ctf2_sequence.h %D%/ctf2_type.c

# CTF metadata file, CTF 1.8 metadata (TSDL)
lib_libtnav_core_la_SOURCES += \
	%D%/metadata.h %D%/metadata_file.c \
	%D%/tsdl.h %D%/tsdl_ast.h \
	%D%/tsdl_blocks.c \
	%D%/tsdl_build.c %D%/tsdl_builder.h \
	%D%/tsdl_instance.c \
	%D%/tsdl_env.c \
	%D%/tsdl_kedr.c \
	%D%/tsdl_lexer.c %D%/tsdl_lexer.h \
	%D%/tsdl_parse.h %D%/tsdl_parse_type.c %D%/tsdl_parse_value.c \
	%D%/tsdl_parser.c %D%/tsdl_parser.h \
	%D%/tsdl_reference.c \
	%D%/tsdl_roles.c \
	%D%/tsdl_types.c \
	%D%/tsdl_unit.c
