lib_libtnav_core_la_SOURCES += \
	%D%/chain.c \
	%D%/feed.c \
	%D%/feed.h \
	%D%/ladder.c \
	%D%/losses.c \
	%D%/losses.h \
	%D%/origins.c \
	%D%/origins.h \
	%D%/other_end.c \
	%D%/pairs.c \
	%D%/pairs.h \
	%D%/pairs_met.c \
	%D%/questions.def \
	%D%/room.c \
	%D%/room.h \
	%D%/sorted.c \
	%D%/span_kind.c \
	%D%/span_question.c \
	%D%/span_match.c \
	%D%/span_open.c \
	%D%/span_open.h \
	%D%/span_text.c \
	%D%/span_value.c \
	%D%/span_whole.c \
	%D%/spans.c \
	%D%/spans.h
