#include "language/attribute_field.h"

#include <string.h>

bool
tn_member_field(const struct tn_event_class *ec, enum tn_scope scope, const char *const *name, uint32_t role,
		struct tn_target *out)
{
	const struct tn_field *root = tn_event_class_scope(ec, scope);

	for (size_t k = 0; root && root->type->kind == TN_KIND_STRUCT && (k == 0 || name[k - 1]); k++)
		for (size_t i = 0; i < root->type->n_fields; i++) {
			const struct tn_field *f = &root->type->field[i];

			if (k == 0 ? f->type->roles & role : strcmp(f->label, name[k - 1]) == 0) {
				*out = (struct tn_target) { .field = f, .scope = scope };
				return true;
			}
		}
	return false;
}

static bool
find_in_contexts(const struct tn_event_class *ec, const char *const *name, uint32_t role, struct tn_target *out)
{
	return tn_member_field(ec, TN_SCOPE_SPECIFIC_CONTEXT, name, role, out) ||
	       tn_member_field(ec, TN_SCOPE_COMMON_CONTEXT, name, role, out) ||
	       tn_member_field(ec, TN_SCOPE_PACKET_CONTEXT, name, role, out);
}

/* The names are those in the table of the manual. */
bool
tn_attribute_field(enum tn_attribute_id id, const struct tn_event_class *ec, struct tn_target *out)
{
	static const char *const cpu[] = { "cpu_id", "cpu", NULL }, *const tid[] = { "vtid", "tid", "common_pid", NULL },
		*const pid[] = { "vpid", "pid", NULL }, *const process[] = { "procname", "comm", NULL };

	switch (id) {
	case TN_ATTRIBUTE_CPU:
		return tn_member_field(ec, TN_SCOPE_PACKET_CONTEXT, cpu, TN_ROLE_CPU_ID, out) ||
		       find_in_contexts(ec, cpu, TN_ROLE_CPU_ID, out) ||
		       tn_member_field(ec, TN_SCOPE_PAYLOAD, cpu, TN_ROLE_CPU_ID, out);
	case TN_ATTRIBUTE_TID: return find_in_contexts(ec, tid, 0, out);
	case TN_ATTRIBUTE_PID: return find_in_contexts(ec, pid, 0, out);
	default: return find_in_contexts(ec, process, 0, out);
	}
}
