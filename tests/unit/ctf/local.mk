tests_unit_unit_SOURCES += \
	%D%/folder.c %D%/folder.h %D%/in_use.h \
	%D%/test_ctf.c %D%/test_mutations.c

tests_unit_unit_SOURCES += \
	%D%/ctf2_model.c %D%/ctf2_model.h \
	%D%/test_ctf2_build.c %D%/test_ctf2_type.c

tests_unit_unit_SOURCES += \
	%D%/test_metadata_file.c \
	%D%/test_tsdl_blocks.c \
	%D%/test_tsdl_kedr.c \
	%D%/test_tsdl_lexer.c %D%/test_tsdl_memory.c \
	%D%/test_tsdl_reference.c \
	%D%/test_tsdl_types.c \
	%D%/tsdl_model.c %D%/tsdl_model.h
