/* write_demo FOLDER [2]: the sample trace of --demo, with CTF 1.8 or CTF 2 metadata */
#include <stdio.h>
#include <string.h>

#include "cli/demo.h"

int
main(int argc, char **argv)
{
	struct tn_error err = { 0 };
	enum tn_metadata_form form = argc > 2 && strcmp(argv[2], "2") == 0 ? TN_METADATA_CTF_2 : TN_METADATA_CTF_1_8;

	if (argc < 2 || demo_write(argv[1], form, &err) != TN_OK) {
		fprintf(stderr, "write_demo: %s\n", argc < 2 ? "no folder" : err.text);
		return 1;
	}
	return 0;
}
