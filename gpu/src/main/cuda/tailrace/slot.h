// The own context of one request in a fixed slot of memory: a suffix automaton, the latest places of each token, which answers of
// the lane the request follows, and the answers to the requests most like it (similar.h).
//
// Idea (Blumer et al. 1985; SAM-Decoding, section 3.2): a state stands for all substrings that end at the same places, its link
// leads to the longest of its suffixes that ends at more places; so the links from the state of the whole context pass every
// suffix that occurred before, longest first. Same states, same latest ends and same order of edges as the Java
// ContextAutomaton and ContextPlaces.
//
// Layout for a capacity of n tokens, offsets only, so that a slot is moved by a plain copy:
//
//   header      256 bytes    lengths, where the answer begins, the answers that the request follows, the seed of the spill table
//   nodes       2n x 32      a node is one DRAM sector; the first edge lives in it
//   spill       S x 16       further edges: open addressing over (state, token), chained per state for cloning
//   tokens      n x 4
//   earlier     n x 4        for each place the one before it in its token's bucket
//   latest      65,536       latest place of each bucket
//   counts      n            for each place how many places of its token there are up to it, at most 255
//   similar     SIMILAR_BYTES  the answers to similar requests; behind all else, whose size depends on n
//
// Why nothing overflows: n tokens make at most 2n - 1 states (2n for one token) and states + n - 2 edges; every state but the
// last has a first edge in its node, so at most n - 1 edges spill. S = n + n/2 + 2 keeps the table under two thirds full.
// 97 bytes a token and 1.2 MB a slot.
#pragma once

#include "limits.h"

namespace tailrace {

struct Node {
  int32_t length, link, first_end, last_end, first_token, first_target, spill, edges;
};
static_assert(sizeof(Node) == 32, "a node is one sector");

struct SpilledEdge {
  int32_t state, token, target, next;
};
static_assert(sizeof(SpilledEdge) == 16, "");

/** An answer that the request follows: where it was in it when the context was so long, and how much of it it has said. */
struct Followed {
  int64_t text;  // Part::text_id
  int32_t position, length, credit, step;
};
static_assert(sizeof(Followed) == 24, "");

struct Alignments {
  Followed followed[FOLLOWED_MAX];
  int32_t size, step;
};
static_assert(sizeof(Alignments) == 200, "");

struct SlotHeader {
  int32_t length, capacity, states, tail, previous_tail, spilled, flags;
  int32_t answer_from;  // what stands before it is the prompt
  Alignments alignments;
  uint32_t seed;  // of the table of spilled edges; another in each process
  int32_t reserved[5];
};
static_assert(sizeof(SlotHeader) == 256, "");

/** Before the copies of similar requests' answers; the host writes all of it (SimilarImage). */
struct SimilarHeader {
  int32_t tokens, places, mask;
  uint32_t seed;  // of the table of tokens
};
static_assert(sizeof(SimilarHeader) == 16, "");

/** Room for as many tokens as are ever copied, each of an answer's a place, and a table of twice as many entries. */
constexpr int64_t SIMILAR_BYTES_MAX = sizeof(SimilarHeader) + SIMILAR_MAX * (SIMILAR_TAIL_MAX + SIMILAR_TOKENS_MAX + 1) * int64_t{5} +
                                      SIMILAR_MAX * SIMILAR_TOKENS_MAX * int64_t{12};
constexpr int64_t SIMILAR_BYTES = (SIMILAR_BYTES_MAX + 255) / 256 * 256;
static_assert(SIMILAR_BYTES == 1114624, "the host writes it (SimilarImage.BYTES_MAX)");

constexpr int RECENT_BUCKETS = 1 << RECENT_BUCKETS_LOG;
constexpr int ROOT = 0;

TAILRACE_FN int64_t spill_capacity(int64_t capacity) { return capacity + capacity / 2 + 2; }

TAILRACE_FN int64_t slot_bytes(int64_t capacity) {
  int64_t bytes = 256 + capacity * (64 + 4 + 4 + 1) + spill_capacity(capacity) * 16 + RECENT_BUCKETS * 4;
  return (bytes + 255) / 256 * 256 + SIMILAR_BYTES;
}

/** Where a slot's arrays begin. A view lives in registers; memory holds no pointers. */
struct Slot {
  SlotHeader* header;
  Node* nodes;
  SpilledEdge* spill;
  int32_t* tokens;
  int32_t* earlier;
  int32_t* latest;
  uint8_t* counts;
  SimilarHeader* similar;
  int32_t capacity;

  TAILRACE_FN Slot(uint8_t* base, int32_t slot_capacity) : capacity(slot_capacity) {
    header = reinterpret_cast<SlotHeader*>(base);
    nodes = reinterpret_cast<Node*>(base + sizeof(SlotHeader));
    spill = reinterpret_cast<SpilledEdge*>(nodes + 2 * static_cast<int64_t>(capacity));
    tokens = reinterpret_cast<int32_t*>(spill + spill_capacity(capacity));
    earlier = tokens + capacity;
    latest = earlier + capacity;
    counts = reinterpret_cast<uint8_t*>(latest + RECENT_BUCKETS);
    similar = reinterpret_cast<SimilarHeader*>(base + slot_bytes(capacity) - SIMILAR_BYTES);
  }

  TAILRACE_FN int length() const { return header->length; }

  TAILRACE_FN int token(int position) const {
    return position >= 0 && position < header->length ? tokens[position] : TERMINATOR;
  }
};

TAILRACE_FN int new_node(const Slot& slot, int length, int link, int first_end, int last_end) {
  int state = slot.header->states++;
  slot.nodes[state] = Node{length, link, first_end, last_end, NONE, NONE, NONE, 0};
  return state;
}

/** The header of a slot without a context. */
TAILRACE_FN SlotHeader empty_header(int32_t capacity, int32_t flags, uint32_t seed) {
  return SlotHeader{0, capacity, 0, ROOT, ROOT, 0, flags, INT32_MAX, {}, seed, {}};
}

/** Forgets the context, and keeps the seed: all lanes clear the table and the buckets. */
template <class Team>
TAILRACE_FN void reset(const Team& team, const Slot& slot) {
  int64_t entries = spill_capacity(slot.capacity);
  team.each([&](int lane) {
    for (int64_t i = lane; i < entries; i += LANES) slot.spill[i] = SpilledEdge{NONE, NONE, NONE, NONE};
    for (int i = lane; i < RECENT_BUCKETS; i += LANES) slot.latest[i] = NONE;
  });
  team.once([&] {
    *slot.header = empty_header(slot.capacity, 0, slot.header->seed);
    *slot.similar = SimilarHeader{0, 0, 0, 0};
    new_node(slot, 0, NONE, NONE, NONE);
  });
}

/** A seeded hash. */
TAILRACE_FN uint32_t mixed(uint32_t key, uint32_t seed) {
  uint32_t h = key ^ seed;
  h = (h ^ h >> 15) * 0x2C1B3C6Du;
  h = (h ^ h >> 12) * 0x297A2D39u;
  return h ^ h >> 15;
}

/** Where an edge begins to be looked for: seeded, or a prompt could be written whose tokens all crowd into one stretch of the table. */
TAILRACE_FN int64_t spill_home(const Slot& slot, int state, int token) {
  uint32_t h = mixed(static_cast<uint32_t>(state) * 0x9E3779B1u ^ static_cast<uint32_t>(token) * 0x85EBCA6Bu, slot.header->seed);
  return static_cast<int64_t>((static_cast<uint64_t>(h) * static_cast<uint64_t>(spill_capacity(slot.capacity))) >> 32);
}

/** The entry that holds (state, token), or the free one where it would go. */
TAILRACE_FN int find_spilled(const Slot& slot, int state, int token) {
  int64_t at = spill_home(slot, state, token);
  while (slot.spill[at].state != NONE && (slot.spill[at].state != state || slot.spill[at].token != token)) {
    at = at + 1 < spill_capacity(slot.capacity) ? at + 1 : 0;
  }
  return static_cast<int>(at);
}

TAILRACE_FN int follow(const Slot& slot, int state, int token) {
  const Node& node = slot.nodes[state];
  if (node.first_token == token) return node.first_target;
  if (node.spill == NONE) return NONE;
  const SpilledEdge& edge = slot.spill[find_spilled(slot, state, token)];
  return edge.state == NONE ? NONE : edge.target;
}

TAILRACE_FN void spill_edge(const Slot& slot, int state, int token, int target) {
  if (slot.header->spilled >= slot.capacity) {
    slot.header->flags |= SPILL_FULL;
    return;
  }
  int at = find_spilled(slot, state, token);
  slot.spill[at] = SpilledEdge{state, token, target, slot.nodes[state].spill};
  slot.nodes[state].spill = at;
  slot.nodes[state].edges++;
  slot.header->spilled++;
}

TAILRACE_FN void add_edge(const Slot& slot, int state, int token, int target) {
  Node& node = slot.nodes[state];
  if (node.first_token == NONE) {
    node.first_token = token;
    node.first_target = target;
    node.edges = 1;
  } else {
    spill_edge(slot, state, token, target);
  }
}

TAILRACE_FN int clone_of(const Slot& slot, int state, int length) {
  const Node node = slot.nodes[state];
  int clone = new_node(slot, length, node.link, node.first_end, node.last_end);
  if (node.first_token != NONE) add_edge(slot, clone, node.first_token, node.first_target);
  for (int edge = node.spill; edge != NONE; edge = slot.spill[edge].next) {
    spill_edge(slot, clone, slot.spill[edge].token, slot.spill[edge].target);
  }
  return clone;
}

/** Bends an edge from one state to another; false if there is no such edge. */
TAILRACE_FN bool redirect(const Slot& slot, int state, int token, int from, int to) {
  Node& node = slot.nodes[state];
  if (node.first_token == token) {
    if (node.first_target != from) return false;
    node.first_target = to;
    return true;
  }
  SpilledEdge& edge = slot.spill[find_spilled(slot, state, token)];
  if (edge.state == NONE || edge.target != from) return false;
  edge.target = to;
  return true;
}

/** The state whose longest string is the longest suffix of the new context that occurred before. */
TAILRACE_FN int suffix_state(const Slot& slot, int state, int token, int target) {
  int wanted = slot.nodes[state].length + 1;
  if (slot.nodes[target].length == wanted) return target;
  int clone = clone_of(slot, target, wanted);
  for (int at = state; at != NONE && redirect(slot, at, token, target, clone);) at = slot.nodes[at].link;
  slot.nodes[target].link = clone;
  return clone;
}

TAILRACE_FN int recent_bucket(int token) {
  return static_cast<int>((static_cast<uint32_t>(token) * 0x9E3779B1u) >> (32 - RECENT_BUCKETS_LOG));
}

/** The latest place of a token; NONE too where 64 places of others stand before it in its bucket's chain. Looks at 64 places at most. */
TAILRACE_FN int latest_place(const Slot& slot, int token) {
  int place = slot.latest[recent_bucket(token)];
  for (int steps = 1; place != NONE && slot.tokens[place] != token; steps++) {
    place = steps == RECENT_STEPS_MAX ? NONE : slot.earlier[place];
  }
  return place;
}

TAILRACE_FN void append_place(const Slot& slot, int token) {
  int length = slot.header->length;
  int before = latest_place(slot, token);
  int bucket = recent_bucket(token);
  slot.counts[length] = static_cast<uint8_t>(before == NONE ? 1 : least(CONTEXT_COUNT_MAX, slot.counts[before] + 1));
  slot.tokens[length] = token;
  slot.earlier[length] = slot.latest[bucket];
  slot.latest[bucket] = length;
  slot.header->length = length + 1;
}

TAILRACE_FN void append_state(const Slot& slot, int token) {
  SlotHeader& header = *slot.header;
  int state = slot.nodes[header.tail].link;
  for (int i = 0; state > ROOT && i < LINKS_REFRESHED_MAX; i++) {
    slot.nodes[state].last_end = header.length - 1;
    state = slot.nodes[state].link;
  }
  int current = new_node(slot, header.length + 1, ROOT, header.length, header.length);
  int target = NONE;
  for (state = header.tail; state != NONE; state = slot.nodes[state].link) {
    target = follow(slot, state, token);
    if (target != NONE) break;
    add_edge(slot, state, token, current);
  }
  if (state != NONE) slot.nodes[current].link = suffix_state(slot, state, token, target);
  header.previous_tail = header.tail;
  header.tail = current;
}

/** Extends the context by one token, on one lane. What does not fit raises a flag and changes nothing else. */
TAILRACE_FN void append(const Slot& slot, int token) {
  SlotHeader& header = *slot.header;
  if (header.flags != 0) return;
  if (token < 0) {
    header.flags |= BAD_TOKEN;
  } else if (header.length >= slot.capacity) {
    header.flags |= CONTEXT_FULL;
  } else {
    append_state(slot, token);
    append_place(slot, token);
  }
}

/** What is appended from now on is the request's own answer. */
TAILRACE_FN void begin_answer(const Slot& slot) { slot.header->answer_from = slot.header->length; }

}  // namespace tailrace
