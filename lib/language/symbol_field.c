#include "language/symbol_field.h"

#include <stdlib.h>

#include "base/error.h"
#include "language/names_index.h"
#include "model/functions.h"

#define SYMBOL "symbol("

enum tn_code
tn_symbol_name(struct tn_reference *r, const char **name, struct tn_error *err)
{
	const struct tn_set *set = r->names->set;
	const char *from = *name + sizeof SYMBOL - 1;
	size_t n = strlen(*name);

	if (strncmp(*name, SYMBOL, sizeof SYMBOL - 1) != 0 || (*name)[n - 1] != ')')
		return TN_OK;
	*name = tn_arena_copy(&r->arena, from, n - sizeof SYMBOL);
	r->process = calloc(1, sizeof *r->process);
	if (!*name || !r->process)
		return tn_fail_memory(err);
	if (!set->functions.read)
		return tn_fail(err, TN_ERR_NOT_FOUND, "function names are not known here");
	return set->functions.read(&set->functions, &r->functions, err);
}

struct tn_place *
tn_symbol_place(struct tn_reference *r, struct tn_place *address)
{
	struct tn_place *place;

	if (address->way == TN_PLACE_NONE || (address->way == TN_PLACE_CONSTANT && address->cell.kind == TN_CELL_NONE))
		return address;
	place = TN_NEW(&r->arena, struct tn_place);
	if (place) {
		place->way = TN_PLACE_SYMBOL;
		place->address = address;
	}
	return place;
}

static bool
is_whole(const struct tn_cell *cell)
{
	return cell->kind == TN_CELL_UNSIGNED || cell->kind == TN_CELL_SIGNED;
}

void
tn_symbol_look(const struct tn_functions *functions, const struct tn_row_state *s, const struct tn_cell *address,
	       const struct tn_cell *pid, struct tn_cell *out)
{
	const struct tn_batch *b = s->batch;
	const struct tn_function_place at = {
		.trace = b->stream->trace, .rank = b->stream->rank, .packet = b->packet, .row = b->begin.row + s->row,
		.time_ns = b->stream->stream_class->clock ? tn_batch_time(b, s->row) : 0,
		.has_pid = is_whole(pid), .pid = pid->i, .address = address->u,
	};

	*out = (struct tn_cell) { .kind = TN_CELL_NONE };
	if (!is_whole(address))
		return;
	out->kind = TN_CELL_TEXT;
	out->text = functions->name(functions, &at);
	out->n = strlen(out->text);
}
