lib_libtnav_core_la_SOURCES += \
	%D%/arena.c %D%/arena.h \
	%D%/array.c %D%/array.h \
	%D%/bits.h \
	%D%/error.c %D%/error.h \
	%D%/filesort.c %D%/filesort.h \
	%D%/folder.c %D%/folder.h \
	%D%/hash.c %D%/hash.h \
	%D%/names_once.c %D%/names_once.h \
	%D%/json.c %D%/json.h \
	%D%/listing.c %D%/listing.h \
	%D%/mapfile.c %D%/mapfile.h \
	%D%/meaning.h \
	%D%/memory.c %D%/memory.h \
	%D%/messages.c %D%/messages.h \
	%D%/now.h \
	%D%/options.c %D%/options.h \
	%D%/compression.c %D%/compression.h \
	%D%/str.c %D%/str.h \
	%D%/threads.c %D%/threads.h \
	%D%/text_hash.h \
	%D%/utf.c %D%/utf.h %D%/wide.h \
	%D%/ways.c %D%/ways.h
