# Random questions with a digest and without: DIGEST_QUESTIONS=10000 for more.
check_PROGRAMS += tests/digest/questions
tests_digest_questions_CPPFLAGS = -I$(top_srcdir)/lib/include -I$(top_srcdir)/lib
tests_digest_questions_LDADD = lib/libtnav-core.la
tests_digest_questions_SOURCES = %D%/questions.c %D%/left_out.c %D%/left_out.h tests/ways.c tests/make/drafting.h \
	tests/make/ovni_maker.c tests/make/ovni_maker.h tests/make/vartrace_maker.c tests/make/vartrace_maker.h
TESTS += tests/digest/questions
