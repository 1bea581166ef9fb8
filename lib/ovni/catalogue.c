#include "ovni/catalogue.h"

#include <stdlib.h>

#include "base/array.h"

const struct tn_ovni_model tn_ovni_models[] = {
#define MODEL(letter, name, version) { letter, name, version },
#define EVENT(mcv, jumbo, arguments, description)
#include "ovni/events.def"
#undef MODEL
#undef EVENT
};
const size_t tn_ovni_n_models = TN_COUNT(tn_ovni_models);

const struct tn_ovni_def tn_ovni_defs[] = {
#define MODEL(letter, name, version)
#define EVENT(mcv, jumbo, arguments, description) { mcv, jumbo, arguments, description },
#include "ovni/events.def"
#undef MODEL
#undef EVENT
};
const size_t tn_ovni_n_defs = TN_COUNT(tn_ovni_defs);

_Static_assert(TN_COUNT(tn_ovni_models) == TN_OVNI_MODELS, "the number of models");

/* Before nosv 2.0.0, tasks did not have bodies (7). */
const struct tn_ovni_older tn_ovni_olders[] = {
	{ 2, { "VTx", false, "u32:taskid", "task {taskid} starts to run" } },
	{ 2, { "VTe", false, "u32:taskid", "task {taskid} is done" } },
	{ 2, { "VTp", false, "u32:taskid", "task {taskid} is paused" } },
	{ 2, { "VTr", false, "u32:taskid", "task {taskid} goes on after a pause" } },
};
const size_t tn_ovni_n_olders = TN_COUNT(tn_ovni_olders);

uint32_t
tn_ovni_oldest(size_t model)
{
	uint32_t oldest = (uint32_t)strtoul(tn_ovni_models[model].version, NULL, 10);

	for (size_t i = 0; i < tn_ovni_n_olders; i++)
		if (tn_ovni_olders[i].def.mcv[0] == tn_ovni_models[model].letter && tn_ovni_olders[i].major - 1 < oldest)
			oldest = tn_ovni_olders[i].major - 1;
	return oldest;
}
