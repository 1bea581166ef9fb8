/*
 * rate.h - how often something happened, as people read it
 */
#ifndef SCREEN_RATE_H
#define SCREEN_RATE_H

/* "247.1 /s": four digits that count. */
const char *rate_text(double per_second, char room[32]);

#endif
