/* packet.c - read the packets of a file one after another (perfetto.md, 2 and 3) */
#include "perfetto/private.h"

#define MACHINE 98

static const struct content {
	uint32_t number;
	const char *name;
} contents[] = {
#define PACKET(number, name) { number, name },
#include "perfetto/packets.def"
#undef PACKET
};

const char *
tn_pf_content_name(uint64_t content)
{
	for (size_t i = 0; i < TN_COUNT(contents); i++)
		if (contents[i].number == content)
			return contents[i].name;
	return NULL;
}

static void
read_packet(struct tn_pf_packet *p, struct tn_pf_in in)
{
	struct tn_pf_field f;

	while (tn_pf_next(&in, &f))
		switch (f.number) {
		case 3: case 79: case 900: break;
		case 8:
			p->has_time = true;
			p->time = f.value;
			break;
		case 10: p->sequence = (uint32_t)f.value; break;
		case 12: p->interned = f.bytes; break;
		case 13:
			p->is_cleared |= f.value & 1;
			p->needs_state = f.value & 2;
			break;
		case 41: p->is_cleared |= f.value != 0; break;
		case 42: p->dropped = f.value; break;
		case 58: p->clock = f.value; break;
		case 59: p->defaults = f.bytes; break;
		case 87: p->is_first = f.value != 0; break;
		case MACHINE: p->is_foreign = f.value != 0; break;
		default:
			p->content = f.number;
			p->body = f.bytes;
		}
	p->bad = in.bad;
}

bool
tn_pf_packet_at(struct tn_pf_packet *out, const uint8_t *data, uint64_t at, uint64_t size)
{
	struct tn_pf_in in = { data + at, data + size, false };
	struct tn_pf_field f;

	do {
		if (!tn_pf_next(&in, &f))
			return false;
	} while (f.number != 1 || f.wire != TN_PF_BYTES);
	*out = (struct tn_pf_packet) { .at = (uint64_t)(f.bytes.p - data), .next = (uint64_t)(in.p - data) };
	out->body = out->interned = out->defaults = (struct tn_pf_bytes) { f.bytes.p, 0 };
	read_packet(out, tn_pf_in(f.bytes));
	return true;
}

uint64_t
tn_pf_resync(const uint8_t *data, uint64_t at, uint64_t size)
{
	static const uint8_t marker[16] = {
		0x82, 0x47, 0x7a, 0x76, 0xb2, 0x8d, 0x42, 0xba, 0x81, 0xdc, 0x33, 0x32, 0x6d, 0x57, 0xa0, 0x79,
	};
	struct tn_pf_packet p;
	const uint8_t *found;

	while (size - at >= sizeof marker && (found = memchr(data + at, marker[0], (size_t)(size - at - 15)))) {
		at = (uint64_t)(found - data) + 1;
		if (memcmp(found, marker, sizeof marker) != 0)
			continue;
		at += 15;
		/* A few fields of the marker's packet may be after the marker. */
		for (uint64_t k = at; k < at + 32 && k < size; k++)
			if (data[k] == 0x0a && tn_pf_packet_at(&p, data, k, size) && !p.bad && p.content &&
			    (p.next == size || data[p.next] == 0x0a))
				return k;
	}
	return size;
}

const char *
tn_pf_copy(struct tn_trace *trace, struct tn_pf_bytes text)
{
	const uint8_t *zero = text.n ? memchr(text.p, 0, (size_t)text.n) : NULL;

	return tn_arena_copy(&trace->arena, (const char *)text.p, zero ? (size_t)(zero - text.p) : (size_t)text.n);
}

struct tn_pf_bytes
tn_pf_interned(const struct tn_pf_trace *own, uint32_t state, unsigned kind, uint64_t iid, uint64_t at)
{
	const struct tn_pf_intern_key key = { state, kind, iid };
	const struct tn_hash_item *item = own->interned.n ? tn_hash_find(&own->intern, &key, sizeof key) : NULL;
	size_t i = item ? (size_t)item->value : 0;

	while (i && own->interned.item[i - 1].at > at)
		i = own->interned.item[i - 1].before;
	if (!i)
		return (struct tn_pf_bytes) { own->data, 0 };
	return (struct tn_pf_bytes) { own->data + own->interned.item[i - 1].text_at, own->interned.item[i - 1].n };
}

const struct tn_pf_name *
tn_pf_name_of(const struct tn_pf_trace *own, int32_t tid)
{
	const struct tn_hash_item *item = own->names.n ? tn_hash_find_u64(&own->name_of, (uint32_t)tid) : NULL;

	return item ? &own->names.item[item->value] : NULL;
}
