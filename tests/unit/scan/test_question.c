/* The text of a question (scan/question.h). */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include <tnav/query.h>

#include "../order/fake.h"
#include "base/str.h"
#include "scan/question.h"
#include "text/text.h"

static atomic_bool done;

static void *
ask_for_the_zone(void *user)
{
	while (!atomic_load(&done))
		tzset();
	return user;
}

/*
 * The zone of lines is a part of it. While another thread asks for the zone its names are NULL for a moment: whoever reads
 * tzname then finds that, in one of some thousand times: a question asks for it some 200 times. (The thread sanitizer does not see into tzset().)
 */
Test(question, the_zone_is_said_whatever_other_threads_ask)
{
	struct tn_text_options o = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_filter *filter;
	struct tn_text *text;
	struct tn_set *set;
	struct tn_str first = { 0 };
	pthread_t thread;

	setenv("TZ", "Europe/Berlin", 1);
	fake_random(1, 2, 3, 4, 2, 1);
	set = fake_open();
	cr_assert_eq(tn_filter_new(&filter, set, NULL), TN_OK);
	cr_assert_eq(tn_filter_add_regex(filter, "row", false, NULL), TN_OK);
	cr_assert_eq(tn_text_new(&text, set, &o, NULL), TN_OK);
	cr_assert_eq(pthread_create(&thread, NULL, ask_for_the_zone, NULL), 0);
	for (int i = 0; i < 100; i++) {
		struct tn_question q = { 0 };

		cr_assert(tn_question_of(&q, filter, set, text));
		if (!i)
			tn_str_puts(&first, tn_str_text(&q.all));
		cr_assert_str_eq(tn_str_text(&q.all), tn_str_text(&first), "time %d", i);
		tn_question_release(&q);
	}
	atomic_store(&done, true);
	pthread_join(thread, NULL);
	cr_assert_not_null(strstr(tn_str_text(&first), "3600"), "%s", tn_str_text(&first));
	cr_assert_not_null(strstr(tn_str_text(&first), "7200"), "%s", tn_str_text(&first));
	tn_str_release(&first);
	tn_text_free(text);
	tn_filter_free(filter);
	tn_set_close(set);
}
