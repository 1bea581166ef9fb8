#define _GNU_SOURCE	/* nftw() */
#include "base/folder.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)ftw;
	return type == FTW_DP || type == FTW_DNR || type == FTW_D ? rmdir(path) : unlink(path);
}

void
tn_remove_folder(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
