#include <config.h>

#include <stdbool.h>
#include <stdio.h>

#include "rate.h"

const char *
rate_text(double per_second, char room[32])
{
	int digits = per_second < 10 ? 3 : per_second < 100 ? 2 : per_second < 1000 ? 1 : 0;
	bool is_plain = per_second < 1e15 && (per_second >= 1e-3 || per_second <= 0);

	snprintf(room, 32, is_plain ? "%.*f /s" : "%.*e /s", is_plain ? digits : 3, per_second);
	return room;
}
