tests_unit_unit_SOURCES += %D%/test_recorder.c %D%/test_unfinished.c %D%/test_ctf2_text.c %D%/test_draft.c %D%/test_encode.c %D%/test_kinds.c %D%/test_new_folder.c %D%/test_packet_writer.c
