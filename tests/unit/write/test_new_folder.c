/* A folder that appears when it is complete, with folders in it (new_folder.c). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "write/outfile.h"

Test(new_folder, folders_in_folders)
{
	char top[] = "/tmp/tnav-folder-XXXXXX", final[64], path[96];
	struct tn_new_folder f;
	struct tn_error err;
	struct stat st;
	char *made;

	cr_assert_not_null(mkdtemp(top));
	snprintf(final, sizeof final, "%s/out", top);
	cr_assert_eq(tn_new_folder_begin(&f, final, &err), TN_OK, "%s", err.text);
	free(tn_new_folder_make(&f, "a", &err));
	made = tn_new_folder_make(&f, "a/b/c", &err);
	cr_assert(made && stat(made, &st) == 0 && S_ISDIR(st.st_mode));
	cr_assert(strlen(made) > 6 && strcmp(made + strlen(made) - 6, "/a/b/c") == 0, "%s", made);
	free(made);
	made = tn_new_folder_make(&f, "", &err);
	cr_assert(made && stat(made, &st) == 0);
	free(made);
	/* A file is in the way: the message has the final name. */
	snprintf(path, sizeof path, "%s/file", f.path);
	fclose(fopen(path, "w"));
	cr_assert_null(tn_new_folder_make(&f, "file/x", &err));
	snprintf(path, sizeof path, "%s/file/x: Not a directory", final);
	cr_assert_str_eq(err.text, path);
	cr_assert_neq(stat(final, &st), 0, "it is not there yet");
	cr_assert_eq(tn_new_folder_finish(&f, &err), TN_OK, "%s", err.text);
	tn_new_folder_release(&f);
	snprintf(path, sizeof path, "%s/a/b/c", final);
	cr_assert(stat(path, &st) == 0 && S_ISDIR(st.st_mode));
	snprintf(path, sizeof path, "rm -rf %s", top);
	cr_assert_eq(system(path), 0);
}
