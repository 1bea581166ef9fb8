#include "write/sink.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/str.h"

enum tn_code
tn_sink_init(struct tn_sink *sink, const struct tn_sink_ops *ops, const struct tn_stream *stream, const char *folder,
	     const char *name, bool has_index, size_t room, struct tn_error *err)
{
	enum tn_code rc;
	char *index;

	sink->ops = ops;
	sink->stream = stream;
	rc = tn_outfile_init(&sink->file, tn_printed("%s/%s", folder, name), stream->path, room, err);
	if (rc != TN_OK || !has_index)
		return rc;
	index = tn_printed("%s/index", folder);
	if (!index)
		return tn_fail_memory(err);
	(void)mkdir(index, 0777);	/* if this fails, making the file reports it */
	free(index);
	rc = tn_outfile_init(&sink->index, tn_printed("%s/index/%s.idx", folder, name), stream->path, room, err);
	if (rc == TN_OK)
		rc = tn_index_file_begin(&sink->index, err);
	sink->has_index = rc == TN_OK;
	return rc;
}

enum tn_code
tn_sink_flush(struct tn_sink *sink, struct tn_error *err)
{
	enum tn_code rc = tn_outfile_flush(&sink->file, err);

	return rc == TN_OK && sink->has_index ? tn_outfile_flush(&sink->index, err) : rc;
}

void
tn_sink_release(struct tn_sink *sink)
{
	tn_outfile_release(&sink->file);
	tn_outfile_release(&sink->index);
}
