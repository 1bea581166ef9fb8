/* The types of the sample trace's events, for a kernel, a shop, its database and a warehouse. */
#include "demo_types.h"

#include <stdint.h>

struct member {
	const char *name;
	struct tn_type *type;
};

static struct tn_type *
structure(struct tn_draft *d, const struct member *member, size_t n)
{
	struct tn_type *t = tn_draft_struct(d);

	for (size_t i = 0; i < n; i++)
		tn_draft_member(d, t, member[i].name, member[i].type);
	return t;
}

#define STRUCTURE(d, ...) \
	structure((d), (struct member[]) { __VA_ARGS__ }, COUNT(((struct member[]) { __VA_ARGS__ })))

struct label {
	const char *name;
	int64_t lower, upper;
};

static struct tn_type *
enumeration(struct tn_draft *d, struct tn_type *integer, const struct label *label, size_t n)
{
	for (size_t i = 0; i < n; i++)
		tn_draft_label(d, integer, label[i].name, label[i].lower, label[i].upper);
	return integer;
}

#define ENUMERATION(d, integer, ...) \
	enumeration((d), (integer), (struct label[]) { __VA_ARGS__ }, COUNT(((struct label[]) { __VA_ARGS__ })))

static struct tn_type *u(struct demo_types *d, unsigned bits) { return tn_draft_uint(d->draft, bits, 0, 10); }
static struct tn_type *hex(struct demo_types *d, unsigned bits) { return tn_draft_uint(d->draft, bits, 0, 16); }
static struct tn_type *s(struct demo_types *d, unsigned bits) { return tn_draft_sint(d->draft, bits, 0, 10); }

static void
event_class(struct demo_types *d, enum what what, struct tn_stream_class *sc, const char *name, int level, struct tn_type *t)
{
	d->event[what] = tn_draft_event_class(d->draft, sc, name, level, NULL, t);
}

static void
draft_kernel(struct demo_types *d, struct tn_clock *clock)
{
	struct tn_draft *f = d->draft;
	struct tn_type *state, *address, *family, *swapped;

	d->kernel = tn_draft_stream_class(f, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM,
		.name = "kernel", .clock = clock, .header = TN_HEADER_COMPACT,
		.packet_context = STRUCTURE(f, { "cpu_id", u(d, 32) }),
	});
	state = ENUMERATION(f, s(d, 64), { "RUNNING", 0, 0 }, { "SLEEPING", 1, 1 }, { "DISK_SLEEP", 2, 2 },
			    { "STOPPED", 4, 8 }, { "DEAD", 16, 32 });
	event_class(d, SCHED_SWITCH, d->kernel, "sched_switch", -1, STRUCTURE(f,
		{ "prev_comm", tn_draft_text(f, 16) }, { "prev_tid", s(d, 32) }, { "prev_prio", s(d, 32) },
		{ "prev_state", state },
		{ "next_comm", tn_draft_text(f, 16) }, { "next_tid", s(d, 32) }, { "next_prio", s(d, 32) }));
	event_class(d, SCHED_WAKEUP, d->kernel, "sched_wakeup", -1, STRUCTURE(f,
		{ "comm", tn_draft_text(f, 16) }, { "tid", s(d, 32) }, { "prio", s(d, 32) }, { "target_cpu", s(d, 32) }));
	event_class(d, IRQ_ENTRY, d->kernel, "irq_handler_entry", -1, STRUCTURE(f,
		{ "irq", s(d, 32) }, { "name", tn_draft_string(f) }));
	event_class(d, IRQ_EXIT, d->kernel, "irq_handler_exit", -1, STRUCTURE(f,
		{ "irq", s(d, 32) }, { "ret", ENUMERATION(f, s(d, 8), { "IRQ_NONE", 0, 0 }, { "IRQ_HANDLED", 1, 1 }) }));
	event_class(d, BLOCK_ISSUE, d->kernel, "block_rq_issue", -1, STRUCTURE(f,
		{ "dev", hex(d, 32) }, { "sector", u(d, 64) }, { "nr_sector", u(d, 32) },
		{ "rwbs", STRUCTURE(f, { "write", u(d, 1) }, { "sync", u(d, 1) }, { "flush", u(d, 1) },
				    { "ioprio", u(d, 5) }) },
		{ "cmd", tn_draft_array(f, 6, hex(d, 8)) }));
	/* Ports and addresses, in network byte order. */
	tn_draft_swap(f, swapped = u(d, 16));
	family = ENUMERATION(f, u(d, 8), { "inet", 2, 2 }, { "inet6", 10, 10 });
	address = tn_draft_variant(f, "family");
	tn_draft_member(f, address, "inet", STRUCTURE(f,
		{ "saddr", tn_draft_array(f, 4, u(d, 8)) }, { "daddr", tn_draft_array(f, 4, u(d, 8)) }));
	tn_draft_member(f, address, "inet6", STRUCTURE(f, { "saddr", tn_draft_array(f, 8, hex(d, 16)) }));
	event_class(d, NET_XMIT, d->kernel, "net_dev_xmit", -1, STRUCTURE(f,
		{ "name", tn_draft_string(f) }, { "len", u(d, 32) }, { "rc", s(d, 16) },
		{ "family", family }, { "address", address }, { "dport", swapped }));
}

static void
draft_shop(struct demo_types *d, struct tn_clock *clock)
{
	struct tn_draft *f = d->draft;
	struct tn_type *item, *payment, *pay_kind;

	d->shop = tn_draft_stream_class(f, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM,
		.name = "shop", .clock = clock, .header = TN_HEADER_LARGE,
		.common_context = STRUCTURE(f, { "vpid", s(d, 32) }, { "vtid", s(d, 32) }, { "procname", tn_draft_text(f, 16) }),
	});
	event_class(d, REQUEST_BEGIN, d->shop, "shop:request_begin", 6, STRUCTURE(f,
		{ "request", u(d, 32) },
		{ "method", ENUMERATION(f, u(d, 8), { "GET", 0, 0 }, { "POST", 1, 1 }, { "PUT", 2, 2 }) },
		{ "path", tn_draft_string(f) },
		{ "client", STRUCTURE(f, { "address", tn_draft_array(f, 4, u(d, 8)) }, { "port", u(d, 16) },
				      { "agent", tn_draft_string(f) }) }));
	event_class(d, REQUEST_END, d->shop, "shop:request_end", 6, STRUCTURE(f,
		{ "request", u(d, 32) },
		{ "status", ENUMERATION(f, u(d, 16), { "OK", 200, 299 }, { "redirect", 300, 399 }, { "client error", 400, 499 },
					{ "teapot", 418, 418 }, { "server error", 500, 599 }) },
		{ "bytes", u(d, 64) }, { "seconds", tn_draft_float(f, 64, 0) }));
	item = STRUCTURE(f, { "name", tn_draft_string(f) }, { "price", tn_draft_float(f, 32, 0) },
			 { "n_tags", u(d, 8) }, { "tags", tn_draft_sequence(f, "n_tags", tn_draft_string(f)) });
	event_class(d, CART_ADD, d->shop, "shop:cart_add", 6, STRUCTURE(f,
		{ "request", u(d, 32) }, { "customer", tn_draft_string(f) }, { "item", item }, { "quantity", u(d, 8) }));
	pay_kind = ENUMERATION(f, u(d, 8), { "card", 0, 0 }, { "voucher", 1, 1 }, { "invoice", 2, 2 });
	payment = tn_draft_variant(f, "payment_kind");
	tn_draft_member(f, payment, "card", STRUCTURE(f,
		{ "network", tn_draft_string(f) }, { "last_digits", tn_draft_text(f, 4) }, { "contactless", u(d, 1) }));
	tn_draft_member(f, payment, "voucher", tn_draft_string(f));
	tn_draft_member(f, payment, "invoice", STRUCTURE(f, { "days", u(d, 16) }, { "dunning", s(d, 8) }));
	event_class(d, ORDER, d->shop, "shop:order", 5, STRUCTURE(f,
		{ "number", u(d, 64) }, { "customer", tn_draft_string(f) },
		{ "n_items", u(d, 16) }, { "items", tn_draft_sequence(f, "n_items", item) },
		{ "total", tn_draft_float(f, 64, 0) }, { "payment_kind", pay_kind }, { "payment", payment }));
	event_class(d, LOG, d->shop, "shop:log", 4, STRUCTURE(f,
		{ "n", u(d, 16) }, { "message", tn_draft_text_sequence(f, "n") }, { "line", u(d, 32) }));
}

static void
draft_database(struct demo_types *d, struct tn_clock *clock)
{
	struct tn_draft *f = d->draft;

	d->database = tn_draft_stream_class(f, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM,
		.name = "database", .clock = clock, .header = TN_HEADER_PLAIN, .id_bits = 8, .time_bits = 32,
	});
	event_class(d, QUERY_BEGIN, d->database, "db:query_begin", -1, STRUCTURE(f,
		{ "query", u(d, 32) }, { "sql", tn_draft_string(f) },
		{ "n_params", u(d, 8) }, { "params", tn_draft_sequence(f, "n_params", s(d, 64)) }));
	event_class(d, QUERY_END, d->database, "db:query_end", -1, STRUCTURE(f,
		{ "query", u(d, 32) }, { "rows", s(d, 32) },
		{ "plan", STRUCTURE(f, { "node", tn_draft_string(f) },
				    { "cost", STRUCTURE(f, { "startup", tn_draft_float(f, 64, 0) },
							{ "total", tn_draft_float(f, 64, 0) }) },
				    { "buffers", STRUCTURE(f, { "hit", u(d, 32) }, { "read", u(d, 32) }) }) }));
	event_class(d, CACHE, d->database, "db:cache", -1, STRUCTURE(f,
		{ "page", hex(d, 48) },
		{ "result", ENUMERATION(f, u(d, 2), { "miss", 0, 0 }, { "hit", 1, 1 }, { "dirty", 2, 3 }) },
		{ "age", u(d, 14) }));
}

static void
draft_gate(struct demo_types *d, struct tn_clock *clock)
{
	struct tn_draft *f = d->draft;

	d->gate = tn_draft_stream_class(f, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM,
		.name = "warehouse", .clock = clock, .header = TN_HEADER_PLAIN, .id_bits = 5, .time_bits = 27,
	});
	event_class(d, TEMPERATURE, d->gate, "temperature", -1, STRUCTURE(f,
		{ "sensor", u(d, 4) }, { "alarm", u(d, 1) }, { "raw", s(d, 11) }, { "celsius", tn_draft_float(f, 32, 0) },
		{ "n", u(d, 8) }, { "history", tn_draft_sequence(f, "n", tn_draft_float(f, 32, 0)) }));
	event_class(d, DOOR, d->gate, "door", -1, STRUCTURE(f,
		{ "gate", tn_draft_string(f) },
		{ "state", ENUMERATION(f, s(d, 8), { "jammed", -1, -1 }, { "closed", 0, 0 }, { "ajar", 1, 89 },
				       { "open", 90, 90 }) }));
	event_class(d, FORKLIFT, d->gate, "forklift", -1, STRUCTURE(f,
		{ "position", STRUCTURE(f, { "x", tn_draft_float(f, 32, 0) }, { "y", tn_draft_float(f, 32, 0) },
					{ "rack", STRUCTURE(f, { "row", u(d, 6) }, { "shelf", u(d, 4) }, { "slot", u(d, 6) }) }) },
		{ "load", tn_draft_array(f, 2, tn_draft_array(f, 3, u(d, 8))) },
		{ "battery", u(d, 7) }, { "beeping", u(d, 1) }));
}

enum tn_code
demo_draft(struct demo_types *d, struct tn_error *err)
{
	struct tn_draft *f = d->draft;
	struct tn_clock *monotonic, *quartz;

	tn_draft_env_text(f, "hostname", "shop");
	tn_draft_env_text(f, "domain", "demo");
	tn_draft_env_text(f, "tracer_name", "tnav-demo");
	tn_draft_env_number(f, "tracer_major", 1);
	tn_draft_env_text(f, "city", "Köln / 쾰른");
	monotonic = tn_draft_clock(f, "monotonic", SECOND, BOOT_TIME, 0, true);
	tn_draft_clock_description(f, monotonic, "Monotonic clock of the shop's server");
	quartz = tn_draft_clock(f, "quartz", GATE_HZ, BOOT_TIME + 86000, 12345, true);
	tn_draft_clock_description(f, quartz, "Watch crystal of the warehouse's gate");
	draft_kernel(d, monotonic);
	draft_shop(d, monotonic);
	draft_database(d, monotonic);
	draft_gate(d, quartz);
	return tn_draft_finish(f, err);
}
