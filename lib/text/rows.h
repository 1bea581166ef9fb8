/*
 * rows.h - rows of a batch, line by line: on the direct path if possible, otherwise on the general path
 *
 * The same loop serves text and records. Include it after TN_PUT_ROW(at, words, row, bit, now, previous, err), which
 * writes the line of a row whose class has a code. TN_END: the row needs the general path, and the text is unchanged.
 * The general path also reports damage, and handles the first event of a class, which does not have a code yet
 * (class_words.h).
 */
static enum tn_code
append_rows(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t *row,
	    size_t end, struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err)
{
	const struct tn_stream *stream = batch->stream;
	struct tn_line_cache *cache = state->cache ? state->cache : tn_line_cache_of(text, state);
	const struct tn_clock *clock = stream->stream_class->clock;
	struct tn_line_previous now = { .known = clock };
	const struct tn_class_words *of_class = NULL;
	struct place at = {
		.text = text, .batch = batch, .plan = stream->stream_class->plan, .cache = cache, .out = out,
	};
	/* Records have times in addition to cycles; times that do not fit need the general path. */
	bool with_cycles = text->options.time == TN_TIME_CYCLES && text->options.format == TN_LINE_TEXT, fits;
	size_t most, stop_at = state->stop_at ? state->stop_at : SIZE_MAX;
	const struct tn_line_previous before = previous ? *previous : now;
	const size_t text_before = out->n, row_before = *row;
	enum tn_code rc;

	if (LIKELY(cache && stream->rank < text->n_streams && (!clock || !clock->beyond || with_cycles))) {
		at.direct = at.plan ? direct_of(text, cache, batch, &state->event) : NULL;
		of_class = at.direct ? at.direct->met : NULL;
	}
again:
	rc = TN_OK;
	most = at.direct ? at.direct->most : tn_line_most(batch);
	for (; *row < end && out->n < stop_at; ++*row) {
		const struct tn_ref *ref = &batch->refs.item[*row];

		if (UNLIKELY(ref->event_class == TN_REF_NOTICE))
			break;
		out->most = out->n + most;
		now.ns = UNLIKELY(batch->cycles != NULL) ? tn_batch_time(batch, *row) : ref->time_ns;
		if (UNLIKELY(with_cycles))
			now.cycles = tn_batch_cycles(batch, *row);
		rc = TN_END;
		fits = LIKELY(!batch->cycles) || with_cycles || tn_clock_fits(clock, now.ns);
		if (LIKELY(at.direct && fits && of_class[ref->event_class].code))
			rc = TN_PUT_ROW(&at, &of_class[ref->event_class], *row, ref->bit, &now, previous, err);
		if (UNLIKELY(rc == TN_END))
			rc = tn_line_append_values(text, state, batch, *row, previous, out, err);
		else if (rc == TN_OK && previous && now.known)
			*previous = now;
		if (UNLIKELY(rc != TN_OK))
			break;
	}
	out->most = 0;
	/*
	 * The file was cut, so some bytes that were read were zeros of the map. The general path knows which bytes
	 * still exist.
	 */
	if (at.direct && batch->entry.file < stream->n_files && UNLIKELY(tn_map_torn(&stream->file[batch->entry.file].map))) {
		at.direct = NULL;
		*row = row_before;
		out->n = text_before;
		if (previous)
			*previous = before;
		goto again;
	}
	tn_str_end(out);
	return rc;
}
