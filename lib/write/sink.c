#include "write/sink.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/str.h"

static char *
join(const char *folder, const char *between, const char *name, const char *end)
{
	struct tn_str s = { 0 };

	tn_str_printf(&s, "%s/%s%s%s", folder, between, name, end);
	if (s.failed) {
		tn_str_release(&s);
		return NULL;
	}
	return s.text;
}

enum tn_code
tn_sink_init(struct tn_sink *sink, const struct tn_sink_ops *ops, const struct tn_stream *stream, const char *folder,
	     const char *name, bool has_index, size_t room, struct tn_error *err)
{
	enum tn_code rc;
	char *index;

	sink->ops = ops;
	sink->stream = stream;
	rc = tn_outfile_init(&sink->file, join(folder, "", name, ""), stream->path, room, err);
	if (rc != TN_OK || !has_index)
		return rc;
	index = join(folder, "index", "", "");
	if (!index)
		return tn_fail_memory(err);
	(void)mkdir(index, 0777);	/* what is wrong with it is told when the file is made */
	free(index);
	rc = tn_outfile_init(&sink->index, join(folder, "index/", name, ".idx"), stream->path, room, err);
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
