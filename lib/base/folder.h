/*
 * folder.h - folders as a whole
 */
#ifndef TN_BASE_FOLDER_H
#define TN_BASE_FOLDER_H

/* Remove a folder with all that is in it; links are not followed. What cannot be removed stays. */
void tn_remove_folder(const char *path);

#endif
