/*
 * The sample trace. First, a list of moments is planned, each with its request; then the moments are sorted by time and
 * written. All numbers come from one generator with a fixed seed, so that the bytes are the same on every machine.
 */
#include "demo.h"
#include "demo_types.h"
#include "screen/array.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define REQUESTS 420
#define START UINT64_C(86400000000000)	/* time of the monotonic clock: the machine has been up for a day */
#define LENGTH (6 * SECOND)
/* The time when the sale begins; until LOSS_END the tracer of processor 1 loses events. */
#define SALE (START + 3 * SECOND)
#define LOSS_END (SALE + 200 * SECOND / 1000)
/*
 * After the sale, one request is slow: its query waits until `backup`, which meanwhile began on the same processor,
 * leaves the processor. The request has as many events as an ordinary request with the timer's ticks, so the other events
 * keep their numbers.
 */
#define SLOW 95
#define SLOW_TIME (88 * SECOND / 1000)
#define TICK (20 * SECOND / 1000)	/* period of the timer */

struct moment {
	uint64_t ns;
	unsigned number;	/* order of planning; moments with the same time are sorted by it */
	enum stream stream;
	enum what what;
	unsigned request;
	enum { NORMAL, SILENT, SLOW_STORY } kind;	/* SILENT: draw its random numbers, but write no event */
	unsigned task;		/* for the slow request: the task that is woken or that runs */
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
	struct demo_types model;
	struct tn_packet_writer *writer[N_STREAMS];
	struct request request[REQUESTS];
	struct moment *moment;
	size_t n_moments, room;
	struct tn_error *err;
	enum tn_code code;
	uint64_t now;
	unsigned running[2];	/* the running task of each processor, as planned */
	unsigned shown[2];	/* the running task of each processor, as written to the trace */
	/* The slow request has its own random numbers and its own running task. */
	uint64_t slow_random;
	unsigned slow_running;
	bool is_silent;
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
enum { DBREADER = 5, KWORKER = 6, BACKUP = 8 };	/* indices of tasks[] */

/* A xorshift64* generator, because rand() gives other numbers with each C library. */
static uint32_t
random_below(struct demo *d, uint32_t n)
{
	d->random ^= d->random >> 12;
	d->random ^= d->random << 25;
	d->random ^= d->random >> 27;
	return (uint32_t)((d->random * UINT64_C(2685821657736338717)) >> 33) % n;
}

/* ---- planning the events ---- */

static void
at(struct demo *d, uint64_t ns, enum stream stream, enum what what, unsigned request)
{
	struct moment *more = array_more(d->moment, d->n_moments, &d->room, sizeof *more);

	if (!more) {
		d->code = TN_ERR_MEMORY;
		return;
	}
	d->moment = more;
	d->moment[d->n_moments] = (struct moment) {
		.ns = ns, .number = (unsigned)d->n_moments, .stream = stream, .what = what, .request = request,
	};
	d->n_moments++;
}

static void
slow_at(struct demo *d, uint64_t ns, enum stream stream, enum what what, unsigned task)
{
	at(d, ns, stream, what, SLOW);
	if (d->code == TN_OK) {
		d->moment[d->n_moments - 1].kind = SLOW_STORY;
		d->moment[d->n_moments - 1].task = task;
	}
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

/* Replace the events of the slow request, from the moment its thread runs, and silence the ticks until it ends. */
static void
plan_slow(struct demo *d)
{
	struct request *r = &d->request[SLOW];
	enum stream cpu = CPU0 + SLOW % 2;
	uint64_t t = r->begin;

	r->end = t + SLOW_TIME;
	for (size_t i = 0; i < d->n_moments; i++) {
		struct moment *m = &d->moment[i];

		if (m->ns >= t - 1500 && m->ns <= r->end &&
		    (m->stream == cpu || (m->request == SLOW && (m->stream == SHOP || m->stream == DATABASE))))
			m->kind = SILENT;
	}
	slow_at(d, t - 1500, cpu, SCHED_SWITCH, r->worker);
	slow_at(d, t, SHOP, REQUEST_BEGIN, 0);
	slow_at(d, t += 38589, DATABASE, QUERY_BEGIN, 0);
	slow_at(d, t += 4319, DATABASE, CACHE, 0);
	slow_at(d, t += 2600, cpu, SCHED_WAKEUP, DBREADER);
	slow_at(d, t += 1900, cpu, SCHED_SWITCH, BACKUP);
	t = r->end - 91000;
	slow_at(d, t, cpu, SCHED_SWITCH, DBREADER);
	slow_at(d, t += 65958, DATABASE, QUERY_END, 0);
	slow_at(d, t += 1300, cpu, SCHED_WAKEUP, r->worker);
	slow_at(d, t += 1500, cpu, SCHED_SWITCH, r->worker);
	slow_at(d, r->end - 2000, cpu, NET_XMIT, 0);
	slow_at(d, r->end, SHOP, REQUEST_END, 0);
	slow_at(d, r->end + 3000, cpu, SCHED_SWITCH, COUNT(tasks));
}

static void
plan_all(struct demo *d)
{
	for (unsigned i = 0; i < REQUESTS; i++) {
		struct request *r = &d->request[i];
		/* Two thirds of the requests arrive during the sale. */
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
	/* The timer ticks during the whole trace. */
	for (uint64_t t = START + 1000000; t < START + LENGTH; t += TICK) {
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
	plan_slow(d);
}

static int
compare_moments(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/* ---- writing the events ---- */

#define U(v) tn_datum_u(v)
#define I(v) tn_datum_i(v)
#define F(v) tn_datum_f(v)
#define T(v) tn_datum_text(v)
#define B(v) tn_datum_bytes((v), sizeof (v))
/* Write an event of type `what` with these field values. */
#define EMIT(d, m, ...) \
	emit((d), (m), (struct tn_datum[]) { __VA_ARGS__ }, COUNT(((struct tn_datum[]) { __VA_ARGS__ })))

static void
emit(struct demo *d, const struct moment *m, const struct tn_datum *data, size_t n)
{
	uint64_t clock = m->ns;
	enum tn_code code;

	if (d->is_silent)
		return;
	if (m->stream == GATE)
		clock = (m->ns - 86000 * SECOND) / 1000 * GATE_HZ / 1000000 - 12345;
	code = tn_packet_writer_event_at(d->writer[m->stream], clock, d->model.event[m->what], data, n, d->err);
	if (code < 0)
		d->code = code;
}

/*
 * The task to show: @task, or the next free task after it. A task can run on only one processor at a time, and a task of
 * the slow request cannot run elsewhere while it waits.
 */
static unsigned
shown_task(const struct demo *d, const struct moment *m, unsigned task)
{
	const struct request *r = &d->request[SLOW];
	enum stream other = m->stream == CPU0 ? CPU1 : CPU0;
	bool is_slow = m->ns + TICK >= r->begin && m->ns <= r->end;

	if (m->kind == SLOW_STORY)
		return task;
	while (task == d->shown[m->stream] || (task && task == d->shown[other]) ||
	       (is_slow && (task == DBREADER || task == BACKUP || task == r->worker)))
		task = (task + 1) % COUNT(tasks);
	return task;
}

static void
emit_switch(struct demo *d, const struct moment *m)
{
	unsigned *running = &d->running[m->stream], *shown = &d->shown[m->stream];
	unsigned before = *running, next, was = *shown, state;

	do {
		next = m->kind == SLOW_STORY ? m->task : random_below(d, COUNT(tasks));
	} while (next == before);
	if (next == COUNT(tasks))
		next = d->slow_running;	/* the task that would run without the slow request */
	*running = next;
	state = before == 0 ? 0 : random_below(d, 3);
	if (m->kind == SLOW_STORY)
		state = before != BACKUP;	/* its time slice was used up */
	next = shown_task(d, m, next);
	if (m->kind != SILENT)
		*shown = next;
	EMIT(d, m, T(tasks[was].name), I(tasks[was].tid), I(tasks[was].priority), I(state), T(tasks[next].name),
	     I(tasks[next].tid), I(tasks[next].priority));
}

static void
emit_kernel(struct demo *d, const struct moment *m)
{
	const struct request *r = &d->request[m->request];
	bool disk = m->request % 3 == 1;
	unsigned task = m->kind == SLOW_STORY ? m->task : r->worker;
	uint8_t command[6] = { 0x2a, 0, (uint8_t)random_below(d, 256), (uint8_t)random_below(d, 256), 0, 8 };
	uint8_t ours[4] = { 10, 0, 0, 7 }, theirs[4] = { 203, 0, 113, (uint8_t)(r->customer * 17 + 1) };

	switch (m->what) {
	case SCHED_SWITCH:
		emit_switch(d, m);
		break;
	case SCHED_WAKEUP:
		EMIT(d, m, T(tasks[task].name), I(tasks[task].tid), I(20), I(m->stream));
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

/* Fill in the context that all events of the shop have. */
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
		data[n++] = U(r->product == 0 && r->kind == 0 ? 418 : r->bytes % 40 == 0 || m->request == SLOW ? 503 :
			     r->kind == 3 ? 303 : 200);
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

/* Whether the tracer's buffers are full on processor 1. */
static bool
is_lossy(void *user)
{
	const struct demo *d = user;

	return d->now >= SALE && d->now < LOSS_END;
}

static void
write_moment(struct demo *d, const struct moment *m)
{
	d->now = m->ns;
	d->is_silent = m->kind == SILENT;
	if (m->stream <= CPU1)
		emit_kernel(d, m);
	else if (m->stream == SHOP)
		emit_shop(d, m);
	else if (m->stream == DATABASE)
		emit_database(d, m);
	else
		emit_gate(d, m);
}

/* Exchange the random numbers and the running task of the slow request with those of the other requests. */
static void
swap_slow(struct demo *d)
{
	unsigned *running = &d->running[SLOW % 2], task = *running;
	uint64_t random = d->random;

	d->random = d->slow_random;
	d->slow_random = random;
	*running = d->slow_running;
	d->slow_running = task;
}

static void
write_moments(struct demo *d)
{
	bool begun = false;

	for (size_t i = 0; i < d->n_moments && d->code == TN_OK; i++) {
		const struct moment *m = &d->moment[i];

		if (m->kind != NORMAL && !begun)
			d->slow_running = d->running[SLOW % 2];
		begun |= m->kind != NORMAL;
		if (m->kind != SLOW_STORY) {
			write_moment(d, m);
			continue;
		}
		swap_slow(d);
		write_moment(d, m);
		swap_slow(d);
	}
}

static void
write_trace(struct demo *d, const char *folder, enum tn_metadata_form form)
{
	const struct tn_datum cpu[2] = { U(0), U(1) };
	const struct { struct tn_stream_class *sc; struct tn_output_stream file; } streams[N_STREAMS] = {
		[CPU0] = { d->model.kernel, { TN_OUTPUT_STREAM, .name = "kernel_0", .id = 0, .context = &cpu[0], .n_context = 1 } },
		[CPU1] = { d->model.kernel, { TN_OUTPUT_STREAM, .name = "kernel_1", .id = 1, .context = &cpu[1], .n_context = 1,
					.is_full = is_lossy, .user = d } },
		[SHOP] = { d->model.shop, { TN_OUTPUT_STREAM, .name = "shop_0", .packet_size = 8192 } },
		[DATABASE] = { d->model.database, { TN_OUTPUT_STREAM, .name = "database_0" } },
		[GATE] = { d->model.gate, { TN_OUTPUT_STREAM, .name = "warehouse_0", .packet_size = 1024 } },
	};
	struct tn_trace_writer *w = NULL;

	d->code = tn_trace_writer_new(&w, folder, d->model.draft, form, d->err);
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
	d->slow_random = UINT64_C(0x9e3779b97f4a7c15);
	d->err = err;
	d->code = tn_draft_new(&d->model.draft, &(struct tn_draft_options) { TN_DRAFT_OPTIONS, .uuid = uuid }, err);
	if (d->code == TN_OK)
		d->code = demo_draft(&d->model, err);
	if (d->code == TN_OK)
		plan_all(d);
	if (d->code == TN_OK) {
		qsort(d->moment, d->n_moments, sizeof *d->moment, compare_moments);
		write_trace(d, folder, form);
	}
	code = d->code;
	tn_draft_free(d->model.draft);
	free(d->moment);
	free(d);
	return code;
}
