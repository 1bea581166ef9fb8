/* catalogue.h - the events defined by the models of ovni */
#ifndef TN_OVNI_CATALOGUE_H
#define TN_OVNI_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tn_ovni_model {
	char letter;		/* first of the three letters of its events */
	const char *name, *version;
};

struct tn_ovni_def {
	const char *mcv;
	bool jumbo;
	const char *arguments, *description;	/* events.def */
};

/* The form that an event had before version @major of its model. */
struct tn_ovni_older {
	uint32_t major;
	struct tn_ovni_def def;
};

#define TN_OVNI_MODELS 8	/* number of entries of tn_ovni_models */
extern const struct tn_ovni_model tn_ovni_models[];
extern const size_t tn_ovni_n_models;
extern const struct tn_ovni_def tn_ovni_defs[];
extern const size_t tn_ovni_n_defs;
extern const struct tn_ovni_older tn_ovni_olders[];
extern const size_t tn_ovni_n_olders;

/* The oldest known major version of the model, for texts of `require`. */
uint32_t tn_ovni_oldest(size_t model);

/* The three letters of an event as one number, which sorts like strcmp(). */
static inline uint32_t
tn_ovni_mcv(const void *mcv)
{
	const uint8_t *p = mcv;

	return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

#define TN_OVNI_MCV(m, c, v) ((uint32_t)(m) << 16 | (uint32_t)(c) << 8 | (uint32_t)(v))

#endif
