/* about.h - information about the program: the help that fits one screen, the version of tnav and of its libraries */
#ifndef CLI_ABOUT_H
#define CLI_ABOUT_H

#include <stdio.h>

/* Print the most used options, in 24 lines of at most 80 columns; options_help() prints all options. */
void about_help(FILE *out);

/* Print the version, the trace formats and the libraries in use; @terminal is the library that draws the screen. */
void about_version(FILE *out, const char *terminal);

#endif
