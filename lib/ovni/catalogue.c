#include "ovni/catalogue.h"

#include "base/array.h"

const struct tn_ovni_model tn_ovni_models[] = {
#define MODEL(letter, name, version) { letter, name, version },
#define EVENT(mcv, jumbo, arguments, printed, description)
#include "ovni/events.def"
#undef MODEL
#undef EVENT
};
const size_t tn_ovni_n_models = TN_COUNT(tn_ovni_models);

const struct tn_ovni_def tn_ovni_defs[] = {
#define MODEL(letter, name, version)
#define EVENT(mcv, jumbo, arguments, printed, description) { mcv, jumbo, arguments, printed, description },
#include "ovni/events.def"
#undef MODEL
#undef EVENT
};
const size_t tn_ovni_n_defs = TN_COUNT(tn_ovni_defs);
