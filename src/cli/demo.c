/*
 * The sample trace. What happens is worked out first, as a list of moments with a request each; then
 * the moments are put in time order and written. Every number comes from one generator with a fixed
 * seed, so that the bytes are the same everywhere.
 */
#define _GNU_SOURCE	/* nftw() */
#include "demo.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

#define REQUESTS 420
#define SECOND UINT64_C(1000000000)
#define START UINT64_C(86400000000000)	/* of the monotonic clock: the machine has been up for a day */
#define LENGTH (6 * SECOND)
#define BOOT_TIME 1764226800		/* Thursday, 27 November 2025, 07:00 UTC */
/* The sale begins here, and the tracer of processor 1 loses events for a moment. */
#define SALE (START + 3 * SECOND)
#define LOSS_END (SALE + 200 * SECOND / 1000)
#define GATE_HZ 32768

enum stream { CPU0, CPU1, SHOP, DATABASE, GATE, N_STREAMS };

enum what {
	SCHED_SWITCH, SCHED_WAKEUP, IRQ_ENTRY, IRQ_EXIT, BLOCK_ISSUE, NET_XMIT,
	REQUEST_BEGIN, REQUEST_END, CART_ADD, ORDER, LOG,
	QUERY_BEGIN, QUERY_END, CACHE,
	TEMPERATURE, DOOR, FORKLIFT,
	N_WHAT
};

struct moment {
	uint64_t ns;
	unsigned number;	/* ties stay in the order they were thought of */
	enum stream stream;
	enum what what;
	unsigned request;
};

struct request {
	unsigned customer, product, worker;
	unsigned kind;		/* 0 look, 1 search, 2 put into the cart, 3 order */
	unsigned quantity;
	uint32_t bytes;
	uint64_t begin, end;
};

struct demo {
	uint64_t random;
	struct tn_draft *draft;
	struct tn_stream_class *kernel, *shop, *database, *gate;
	struct tn_event_class *event[N_WHAT];
	struct tn_packet_writer *writer[N_STREAMS];
	struct request request[REQUESTS];
	struct moment *moment;
	size_t n_moments, room;
	struct tn_error *err;
	enum tn_code code;
	uint64_t now;
	unsigned running[2];	/* task on each processor */
};

static const char *const customers[] = {
	"Ada Lovelace", "李小龍", "Çiğdem Yıldız", "Søren Kierkegaard", "山田太郎", "Amélie Poulain",
	"Юрий Гагарин", "김연아", "Grace Hopper", "Νίκος Καζαντζάκης", "Zoë Kravitz", "สมชาย ใจดี",
};

static const struct { const char *path, *name; double price; const char *const tag[3]; } products[] = {
	{ "/items/teapot", "Teapot “Utah”", 41.80, { "kitchen", "3D", "classic" } },
	{ "/items/green-tea", "緑茶 (宇治)", 18.50, { "茶", "food", NULL } },
	{ "/items/ramen-bowl", "ラーメンどんぶり", 23.00, { "kitchen", "陶器", NULL } },
	{ "/items/espresso", "Caffè espresso ☕", 12.90, { "food", NULL, NULL } },
	{ "/items/rubber-duck", "Rubber duck 🦆", 4.18, { "bath", "debugging", "🦆" } },
	{ "/items/dumplings", "饺子 × 24", 9.60, { "food", "冷冻", NULL } },
	{ "/items/headphones", "헤드폰 HX-7", 129.00, { "audio", "할인", NULL } },
	{ "/items/bread-knife", "Brotmesser, 20 cm", 34.95, { "kitchen", NULL, NULL } },
};

static const struct { const char *name; int tid, priority; } tasks[] = {
	{ "swapper", 0, 20 }, { "shopd", 2101, 20 }, { "shopd", 2102, 20 }, { "shopd", 2103, 20 },
	{ "dbwriter", 1870, 20 }, { "dbreader", 1871, 20 }, { "kworker/1:2", 77, 20 }, { "irq/35-eth0", 212, -51 },
	{ "backup", 4002, 39 },
};

/* xorshift64*: the numbers must be the same with every C library. */
static uint32_t
random_below(struct demo *d, uint32_t n)
{
	d->random ^= d->random >> 12;
	d->random ^= d->random << 25;
	d->random ^= d->random >> 27;
	return (uint32_t)((d->random * UINT64_C(2685821657736338717)) >> 33) % n;
}

/* ---- the model ---- */

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

static struct tn_type *u(struct demo *d, unsigned bits) { return tn_draft_uint(d->draft, bits, 0, 10); }
static struct tn_type *hex(struct demo *d, unsigned bits) { return tn_draft_uint(d->draft, bits, 0, 16); }
static struct tn_type *s(struct demo *d, unsigned bits) { return tn_draft_sint(d->draft, bits, 0, 10); }

static void
event_class(struct demo *d, enum what what, struct tn_stream_class *sc, const char *name, int level, struct tn_type *t)
{
	d->event[what] = tn_draft_event_class(d->draft, sc, name, level, NULL, t);
}

static void
draft_kernel(struct demo *d, struct tn_clock *clock)
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
	/* Ports and addresses as they are on the wire. */
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
draft_shop(struct demo *d, struct tn_clock *clock)
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
draft_database(struct demo *d, struct tn_clock *clock)
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
draft_gate(struct demo *d, struct tn_clock *clock)
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

static void
draft_all(struct demo *d)
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
	d->code = tn_draft_finish(f, d->err);
}

/* ---- what happens ---- */

static void
at(struct demo *d, uint64_t ns, enum stream stream, enum what what, unsigned request)
{
	if (d->n_moments == d->room) {
		size_t room = d->room ? d->room * 2 : 4096;
		struct moment *more = realloc(d->moment, room * sizeof *more);

		if (!more) {
			d->code = TN_ERR_MEMORY;
			return;
		}
		d->moment = more;
		d->room = room;
	}
	d->moment[d->n_moments] = (struct moment) { ns, (unsigned)d->n_moments, stream, what, request };
	d->n_moments++;
}

static void
plan_request(struct demo *d, unsigned i)
{
	struct request *r = &d->request[i];
	enum stream cpu = CPU0 + i % 2;
	uint64_t t = r->begin;

	at(d, t - 9000 - random_below(d, 3000), cpu, IRQ_ENTRY, i);
	at(d, t - 5500, cpu, IRQ_EXIT, i);
	at(d, t - 4000, cpu, SCHED_WAKEUP, i);
	at(d, t - 1500, cpu, SCHED_SWITCH, i);
	at(d, t, SHOP, REQUEST_BEGIN, i);
	at(d, t += 20000 + random_below(d, 50000), DATABASE, QUERY_BEGIN, i);
	for (unsigned k = random_below(d, 3); k--;)
		at(d, t += 1500 + random_below(d, 4000), DATABASE, CACHE, i);
	if (random_below(d, 3) == 0) {
		at(d, t += 3000, cpu, BLOCK_ISSUE, i);
		at(d, t += 700, cpu, SCHED_SWITCH, i);
		at(d, t += 180000 + random_below(d, 900000), cpu, IRQ_ENTRY, i);
		at(d, t += 2500, cpu, IRQ_EXIT, i);
	}
	at(d, t += 9000 + random_below(d, 60000), DATABASE, QUERY_END, i);
	if (r->kind >= 2)
		at(d, t += 8000 + random_below(d, 9000), SHOP, CART_ADD, i);
	if (r->kind == 3)
		at(d, t += 30000 + random_below(d, 30000), SHOP, ORDER, i);
	if (random_below(d, 12) == 0)
		at(d, t += 1000, SHOP, LOG, i);
	r->end = t + 4000 + random_below(d, 20000);
	at(d, r->end - 2000, cpu, NET_XMIT, i);
	at(d, r->end, SHOP, REQUEST_END, i);
	at(d, r->end + 3000, cpu, SCHED_SWITCH, i);
}

static void
plan_all(struct demo *d)
{
	for (unsigned i = 0; i < REQUESTS; i++) {
		struct request *r = &d->request[i];
		/* Two thirds of the customers come with the sale. */
		uint64_t from = i < REQUESTS / 3 ? START : SALE, span = i < REQUESTS / 3 ? LENGTH : LENGTH / 12;

		r->begin = from + 20000 + (uint64_t)random_below(d, 1000000) * (span / 1000000);
		r->customer = random_below(d, COUNT(customers));
		r->product = random_below(d, COUNT(products));
		r->worker = 1 + random_below(d, 3);
		r->kind = random_below(d, 4);
		r->quantity = 1 + random_below(d, 3);
		r->bytes = 300 + random_below(d, 40000);
		plan_request(d, i);
	}
	/* The timer ticks on. */
	for (uint64_t t = START + 1000000; t < START + LENGTH; t += 20000000) {
		at(d, t, CPU0, SCHED_SWITCH, 0);
		at(d, t + 250000 + random_below(d, 100000), CPU1, SCHED_SWITCH, 1);
	}
	for (uint64_t t = START + 300000; t < START + LENGTH; t += SECOND / 20)
		at(d, t, GATE, TEMPERATURE, (unsigned)((t - START) * 20 / SECOND));
	for (unsigned i = 0; i < 60; i++) {
		at(d, START + SECOND / 7 + i * (LENGTH / 61), GATE, FORKLIFT, i);
		if (i % 6 == 0)
			at(d, START + SECOND / 5 + i * (LENGTH / 61), GATE, DOOR, i / 6);
	}
}

static int
compare_moments(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/* ---- writing it ---- */

#define U(v) tn_datum_u(v)
#define I(v) tn_datum_i(v)
#define F(v) tn_datum_f(v)
#define T(v) tn_datum_text(v)
#define B(v) tn_datum_bytes((v), sizeof (v))
/* An event with these values. */
#define EMIT(d, m, ...) \
	emit((d), (m), (struct tn_datum[]) { __VA_ARGS__ }, COUNT(((struct tn_datum[]) { __VA_ARGS__ })))

static void
emit(struct demo *d, const struct moment *m, const struct tn_datum *data, size_t n)
{
	uint64_t clock = m->ns;
	enum tn_code code;

	if (m->stream == GATE)
		clock = (m->ns - 86000 * SECOND) / 1000 * GATE_HZ / 1000000 - 12345;
	code = tn_packet_writer_event_at(d->writer[m->stream], clock, d->event[m->what], data, n, d->err);
	if (code < 0)
		d->code = code;
}

static void
emit_switch(struct demo *d, const struct moment *m)
{
	unsigned *running = &d->running[m->stream];
	unsigned before = *running, next;

	do {
		next = random_below(d, COUNT(tasks));
	} while (next == before);
	*running = next;
	EMIT(d, m, T(tasks[before].name), I(tasks[before].tid), I(tasks[before].priority),
	     I(before == 0 ? 0 : random_below(d, 3)), T(tasks[next].name), I(tasks[next].tid), I(tasks[next].priority));
}

static void
emit_kernel(struct demo *d, const struct moment *m)
{
	const struct request *r = &d->request[m->request];
	bool disk = m->request % 3 == 1;
	uint8_t command[6] = { 0x2a, 0, (uint8_t)random_below(d, 256), (uint8_t)random_below(d, 256), 0, 8 };
	uint8_t ours[4] = { 10, 0, 0, 7 }, theirs[4] = { 203, 0, 113, (uint8_t)(r->customer * 17 + 1) };

	switch (m->what) {
	case SCHED_SWITCH:
		emit_switch(d, m);
		break;
	case SCHED_WAKEUP:
		EMIT(d, m, T(tasks[r->worker].name), I(tasks[r->worker].tid), I(20), I(m->stream));
		break;
	case IRQ_ENTRY:
		EMIT(d, m, I(disk ? 16 : 35), T(disk ? "nvme0q1" : "eth0-rx-0"));
		break;
	case IRQ_EXIT:
		EMIT(d, m, I(disk ? 16 : 35), I(random_below(d, 10) != 0));
		break;
	case BLOCK_ISSUE:
		EMIT(d, m, U(0x10300001), U(UINT64_C(5000000000) + random_below(d, 1u << 30)), U(8), U(r->kind == 3),
		     U(1), U(r->kind == 3), U(4), B(command));
		break;
	default:
		if (r->customer % 4 == 1)
			EMIT(d, m, T("eth0"), U(r->bytes % 1460 + 54), I(0), U(10), U(0x2001), U(0xdb8), U(0), U(0), U(0), U(0),
			     U(0), U(r->customer), U(443));
		else
			EMIT(d, m, T("eth0"), U(r->bytes % 1460 + 54), I(r->bytes % 97 == 0 ? -11 : 0), U(2), B(ours), B(theirs),
			     U(443));
	}
}

/* The context that all events of the shop have. */
static size_t
put_context(const struct request *r, struct tn_datum *out)
{
	out[0] = I(2100);
	out[1] = I(tasks[r->worker].tid);
	out[2] = T("shopd");
	return 3;
}

static size_t
put_item(unsigned product, struct tn_datum *out)
{
	size_t tags = 0;

	out[0] = T(products[product].name);
	out[1] = F(products[product].price);
	for (; tags < 3 && products[product].tag[tags]; tags++)
		out[3 + tags] = T(products[product].tag[tags]);
	out[2] = U(tags);
	return 3 + tags;
}

static size_t
put_order(struct demo *d, const struct request *r, unsigned number, struct tn_datum *out)
{
	static const char *const vouchers[] = { "WELCOME-5", "BLACK-FRIDAY", "感謝祭2025" };
	double total = 0;
	size_t n = 0;

	out[n++] = U(UINT64_C(20251128000000) + number);
	out[n++] = T(customers[r->customer]);
	out[n++] = U(r->quantity);
	for (unsigned i = 0; i < r->quantity; i++) {
		unsigned product = (r->product + i * 3) % COUNT(products);

		n += put_item(product, out + n);
		total += products[product].price;
	}
	out[n++] = F(total);
	out[n++] = U(r->customer % 3);
	if (r->customer % 3 == 0) {
		out[n++] = T(r->bytes & 1 ? "VISA" : "Mastercard");
		out[n++] = T(r->bytes & 2 ? "4711" : "0815");
		out[n++] = U(r->bytes >> 2 & 1);
	} else if (r->customer % 3 == 1) {
		out[n++] = T(vouchers[random_below(d, COUNT(vouchers))]);
	} else {
		out[n++] = U(14);
		out[n++] = I(r->bytes % 5 ? 0 : -1);
	}
	return n;
}

static void
emit_shop(struct demo *d, const struct moment *m)
{
	static const char *const messages[] = {
		"cache is cold", "retrying payment", "slow query: 多すぎる行", "out of stock — “Rubber duck 🦆”",
	};
	static const char *const agents[] = { "curl/8.11", "Mozilla/5.0 (X11)", "ShopApp/3.2 (안드로이드)" };
	const struct request *r = &d->request[m->request];
	struct tn_datum data[64];
	size_t n = put_context(r, data);
	uint8_t address[4] = { 203, 0, 113, (uint8_t)(r->customer * 17 + 1) };
	const char *message;

	switch (m->what) {
	case REQUEST_BEGIN:
		data[n++] = U(m->request);
		data[n++] = U(r->kind == 3 ? 1 : r->kind == 2 ? 2 : 0);
		data[n++] = T(r->kind == 1 ? "/search?q=お茶" : products[r->product].path);
		data[n++] = B(address);
		data[n++] = U(30000 + r->bytes % 30000);
		data[n++] = T(agents[r->bytes % COUNT(agents)]);
		break;
	case REQUEST_END:
		data[n++] = U(m->request);
		data[n++] = U(r->product == 0 && r->kind == 0 ? 418 : r->bytes % 40 == 0 ? 503 : r->kind == 3 ? 303 : 200);
		data[n++] = U(r->bytes);
		data[n++] = F((double)(r->end - r->begin) / 1e9);
		break;
	case CART_ADD:
		data[n++] = U(m->request);
		data[n++] = T(customers[r->customer]);
		n += put_item(r->product, data + n);
		data[n++] = U(r->quantity);
		break;
	case ORDER:
		n += put_order(d, r, m->request, data + n);
		break;
	default:
		message = messages[random_below(d, COUNT(messages))];
		data[n++] = U(strlen(message));
		data[n++] = T(message);
		data[n++] = U(100 + random_below(d, 900));
	}
	emit(d, m, data, n);
}

static void
emit_database(struct demo *d, const struct moment *m)
{
	static const char *const queries[] = {
		"SELECT * FROM items WHERE id = $1", "SELECT id FROM items WHERE name ILIKE '%お茶%'",
		"UPDATE cart SET quantity = $1 WHERE customer = $2 AND item = $3", "INSERT INTO orders VALUES ($1, $2)",
	};
	static const char *const nodes[] = { "Index Scan", "Seq Scan", "Bitmap Heap Scan", "Insert" };
	static const unsigned n_params[] = { 1, 0, 3, 2 };
	const struct request *r = &d->request[m->request];
	struct tn_datum data[8];
	size_t n = 0;

	switch (m->what) {
	case QUERY_BEGIN:
		data[n++] = U(m->request);
		data[n++] = T(queries[r->kind]);
		data[n++] = U(n_params[r->kind]);
		for (unsigned i = 0; i < n_params[r->kind]; i++)
			data[n++] = I(i == 0 ? (int64_t)r->product : i == 1 ? -(int64_t)r->customer : INT64_MIN + r->bytes);
		emit(d, m, data, n);
		break;
	case QUERY_END:
		EMIT(d, m, U(m->request), I(r->kind == 1 ? (int)r->bytes % 60 : r->kind == 0 ? 1 : -1), T(nodes[r->kind]),
		     F(0.25 * r->kind), F(r->bytes / 64.0), U(r->bytes % 90), U(r->bytes % 7));
		break;
	default:
		EMIT(d, m, U(UINT64_C(0x7f0000000000) + ((uint64_t)random_below(d, 1u << 20) << 12)), U(random_below(d, 4)),
		     U(random_below(d, 1u << 14)));
	}
}

static void
emit_gate(struct demo *d, const struct moment *m)
{
	static const int states[] = { 0, 12, 90, 90, 45, 0, 7, -1, 3, 0 };
	uint8_t load[2][3];
	struct tn_datum data[16];
	size_t n = 0;
	int raw;

	switch (m->what) {
	case TEMPERATURE:
		raw = (int)random_below(d, 90) - 300;
		data[n++] = U(m->request % 6);
		data[n++] = U(raw > -225);
		data[n++] = I(raw);
		data[n++] = F(raw / 16.0);
		data[n++] = U(m->request % 4);
		for (unsigned i = 0; i < m->request % 4; i++)
			data[n++] = F((raw - (int)random_below(d, 9)) / 16.0);
		emit(d, m, data, n);
		break;
	case DOOR:
		EMIT(d, m, T(m->request & 1 ? "Tor Süd" : "北門"), I(states[m->request % COUNT(states)]));
		break;
	default:
		for (unsigned i = 0; i < 6; i++)
			load[i / 3][i % 3] = (uint8_t)random_below(d, 5);
		EMIT(d, m, F(m->request * 0.75), F(12.5 - m->request * 0.125), U(m->request), U(m->request % 10), U(m->request / 2),
		     B(load[0]), B(load[1]), U(98 - m->request / 2), U(m->request % 5 == 0));
	}
}

/* The tracer's buffers have run full on processor 1. */
static bool
is_lossy(void *user)
{
	const struct demo *d = user;

	return d->now >= SALE && d->now < LOSS_END;
}

static void
write_moments(struct demo *d)
{
	for (size_t i = 0; i < d->n_moments && d->code == TN_OK; i++) {
		const struct moment *m = &d->moment[i];

		d->now = m->ns;
		if (m->stream <= CPU1)
			emit_kernel(d, m);
		else if (m->stream == SHOP)
			emit_shop(d, m);
		else if (m->stream == DATABASE)
			emit_database(d, m);
		else
			emit_gate(d, m);
	}
}

static void
write_trace(struct demo *d, const char *folder, enum tn_metadata_form form)
{
	const struct tn_datum cpu[2] = { U(0), U(1) };
	const struct { struct tn_stream_class *sc; struct tn_output_stream file; } streams[N_STREAMS] = {
		[CPU0] = { d->kernel, { TN_OUTPUT_STREAM, .name = "kernel_0", .id = 0, .context = &cpu[0], .n_context = 1 } },
		[CPU1] = { d->kernel, { TN_OUTPUT_STREAM, .name = "kernel_1", .id = 1, .context = &cpu[1], .n_context = 1,
					.is_full = is_lossy, .user = d } },
		[SHOP] = { d->shop, { TN_OUTPUT_STREAM, .name = "shop_0", .packet_size = 8192 } },
		[DATABASE] = { d->database, { TN_OUTPUT_STREAM, .name = "database_0" } },
		[GATE] = { d->gate, { TN_OUTPUT_STREAM, .name = "warehouse_0", .packet_size = 1024 } },
	};
	struct tn_trace_writer *w = NULL;

	d->code = tn_trace_writer_new(&w, folder, d->draft, form, d->err);
	for (unsigned i = 0; i < N_STREAMS && d->code == TN_OK; i++)
		d->code = tn_trace_writer_stream(w, streams[i].sc, &streams[i].file, &d->writer[i], d->err);
	if (d->code == TN_OK)
		write_moments(d);
	if (d->code == TN_OK)
		d->code = tn_trace_writer_finish(w, d->err);
	tn_trace_writer_free(w);
}

enum tn_code
demo_write(const char *folder, enum tn_metadata_form form, struct tn_error *err)
{
	static const uint8_t uuid[16] = {
		0x7a, 0x9f, 0x1c, 0x0e, 0x52, 0x14, 0x4d, 0x6b, 0x9b, 0x2e, 0x5f, 0x0d, 0xc3, 0x61, 0x77, 0x01,
	};
	struct demo *d = calloc(1, sizeof *d);
	enum tn_code code;

	if (!d)
		return TN_ERR_MEMORY;
	d->random = UINT64_C(0x2545f4914f6cdd1d);
	d->err = err;
	d->code = tn_draft_new(&d->draft, &(struct tn_draft_options) { TN_DRAFT_OPTIONS, .uuid = uuid }, err);
	if (d->code == TN_OK)
		draft_all(d);
	if (d->code == TN_OK)
		plan_all(d);
	if (d->code == TN_OK) {
		qsort(d->moment, d->n_moments, sizeof *d->moment, compare_moments);
		write_trace(d, folder, form);
	}
	code = d->code;
	tn_draft_free(d->draft);
	free(d->moment);
	free(d);
	return code;
}

/* ---- a place for it ---- */

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)ftw;
	return type == FTW_DP ? rmdir(path) : unlink(path);
}

void
demo_remove(const char *folder)
{
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Whoever uses the folder holds a lock on it, which ends with the process. False: somebody does. */
static bool
hold(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	if (fd >= 0)
		close(fd);
	return false;
}

/* What was left by a kill: folders of ours, more than a minute old, that nobody holds. */
static void
sweep(const char *pattern)
{
	size_t n = (size_t)(strrchr(pattern, '/') + 1 - pattern), name = strlen(pattern + n);
	char path[4096];
	const struct dirent *entry;
	struct stat st;
	DIR *dir;

	snprintf(path, sizeof path, "%.*s", (int)n, pattern);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (strlen(entry->d_name) != name || strncmp(entry->d_name, pattern + n, name - strlen("XXXXXX")) != 0)
			continue;
		snprintf(path, sizeof path, "%.*s%s", (int)n, pattern, entry->d_name);
		if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
		    time(NULL) - st.st_mtime > 60 && hold(path))
			demo_remove(path);
	}
	if (dir)
		closedir(dir);
}

enum tn_code
demo_make(char *folder, size_t size, struct tn_error *err)
{
	const char *tmp = getenv("TMPDIR");
	enum tn_code code;
	int n = snprintf(folder, size, "%s/tnav-demo-XXXXXX", tmp && *tmp ? tmp : "/tmp");

	if (n >= 0 && (size_t)n < size)
		sweep(folder);
	if (n < 0 || (size_t)n >= size || !mkdtemp(folder)) {
		if (err)
			snprintf(err->text, sizeof err->text, "no folder for the sample trace: %s: %s", folder, strerror(errno));
		return err ? (err->code = TN_ERR_SYSTEM) : TN_ERR_SYSTEM;
	}
	hold(folder);
	code = demo_write(folder, TN_METADATA_CTF_1_8, err);
	if (code != TN_OK)
		demo_remove(folder);
	return code;
}
