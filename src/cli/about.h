/*
 * about.h - what the program is: the help that fits a screen, the version with its libraries
 */
#ifndef CLI_ABOUT_H
#define CLI_ABOUT_H

#include <stdio.h>

/* The most used options, in 24 lines of at most 80 columns; options_help() prints all of them. */
void about_help(FILE *out);

/* The version, the formats, the libraries in use; @terminal is the library that draws. */
void about_version(FILE *out, const char *terminal);

#endif
