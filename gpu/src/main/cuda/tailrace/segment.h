// Search in the unchanged bytes of a segment file (docs/reference/segment-format.md).
//
// A lane is one block of memory: a `Lane` record, the vocabulary, then the files as they are, each at a multiple of 64 bytes. The record
// holds offsets from the block's beginning, read once from the files' headers by `open_part`.
//
// Search: the last-token table gives an interval of `order`; 32 lanes look at 32 places of it at once, so an interval
// shrinks 33-fold for two dependent loads; then each lane matches one neighbour of the insertion point. The result is that of the
// Java CoLexSearch.nearest, in its order. Bytes were verified before they were uploaded; damaged ones give other results, but no
// access outside the text: every position is checked.
#pragma once

#include "vocabulary.h"

namespace tailrace {

struct Part {
  int64_t text, order, table;  // offsets in bytes from the lane's beginning
  int32_t text_length, order_length, table_shift, table_entries;
  int32_t source;  // OLDER, NEWEST or FRESH
  int32_t reserved;
  int64_t text_id;  // stays when the lane is uploaded anew with the same text, maybe as another part
};
static_assert(sizeof(Part) == 56, "");

/** A lane's parts in the order of the draft: older ones, the newest, the fresh one. */
struct Lane {
  int32_t parts, flags;
  int64_t vocabulary;  // offset
  Part part[PARTS_MAX];
  int64_t reserved[3];
};
static_assert(sizeof(Lane) == 320, "");

/** The nearest occurrences in one part: longest match first. */
struct Found {
  int32_t count;
  int32_t reserved;
  int32_t position[SHARED_MAX];
  int32_t match[SHARED_MAX];
};
static_assert(sizeof(Found) == 136, "");

TAILRACE_FN int32_t int32_at(const uint8_t* base, int64_t offset) {
  return *reinterpret_cast<const int32_t*>(base + offset);
}

TAILRACE_FN int64_t int64_at(const uint8_t* base, int64_t offset) {
  return *reinterpret_cast<const int64_t*>(base + offset);
}

/** Where a file's section table begins, and what no header is shorter than: it ends with names, and at a multiple of 64. */
constexpr int SECTION_TABLE = 104;
constexpr int HEADER_MIN = 448;

/** Offset of a section in the lane, or -1 if it does not hold so many entries inside the file. */
TAILRACE_FN int64_t section(const uint8_t* base, int64_t file, int64_t bytes, int id, int64_t entries) {
  int64_t at = file + SECTION_TABLE + (id - 1) * 24;
  int64_t offset = int64_at(base, at + 8);
  bool fits = int32_at(base, at) == id && int64_at(base, at + 16) == entries * 4 && offset >= HEADER_MIN && offset % 64 == 0 &&
              entries >= 0 && offset <= bytes - entries * 4;
  return fits ? file + offset : -1;
}

/** Where a file lies in the lane's block, as the host says. */
struct FilePlace {
  int64_t offset, bytes, source, text_id;
};
static_assert(sizeof(FilePlace) == 32, "");

/** Where all lies in a lane's block. */
struct LanePlaces {
  int64_t vocabulary, vocabulary_bytes;
  FilePlace file[PARTS_MAX];
};
static_assert(sizeof(LanePlaces) == 16 + PARTS_MAX * 32, "the host writes it (ResidentSnapshot.PLACES_BYTES)");

/** Reads one file's header; returns LaneFlags, 0 if all is well. */
TAILRACE_FN int open_part(const uint8_t* base, const FilePlace& place, Part* part) {
  int64_t file = place.offset;
  int64_t bytes = place.bytes;
  int source = static_cast<int>(place.source);
  constexpr int64_t MAGIC = 0x544e4d4745535254;  // TRSEGMNT
  if (bytes < HEADER_MIN + 64 || file % 64 != 0) return BAD_BOUNDS;
  if (int64_at(base, file) != MAGIC || int32_at(base, file + 8) != 1) return FOREIGN_BYTES;
  if (int64_at(base, file + 16) != bytes) return BAD_BOUNDS;
  part->text_length = int32_at(base, file + 32);
  part->order_length = int32_at(base, file + 36);
  part->table_shift = int32_at(base, file + 44);
  part->table_entries = int32_at(base, file + 48);
  part->text = section(base, file, bytes, 1, part->text_length);
  part->order = section(base, file, bytes, 2, part->order_length);
  part->table = section(base, file, bytes, 4, part->table_entries);
  part->source = source;
  part->reserved = 0;
  part->text_id = place.text_id;
  bool holds = part->text >= 0 && part->order >= 0 && part->table >= 0 && part->table_entries >= 1 &&
               part->table_shift >= 0 && part->table_shift <= 31 && source >= OLDER && source <= FRESH;
  return holds ? 0 : BAD_BOUNDS;
}

/** Reads all headers. */
TAILRACE_FN void open_lane(uint8_t* base, const LanePlaces& places, int count) {
  Lane& lane = *reinterpret_cast<Lane*>(base);
  lane.parts = 0;
  lane.vocabulary = places.vocabulary;
  lane.flags = count < 0 || count > PARTS_MAX ? TOO_MANY_PARTS : 0;
  if (!is_vocabulary(base + places.vocabulary, places.vocabulary_bytes)) lane.flags |= BAD_VOCABULARY;
  for (int i = 0; lane.flags == 0 && i < count; i++) lane.flags |= open_part(base, places.file[i], &lane.part[i]);
  if (lane.flags == 0) lane.parts = count;
}

TAILRACE_FN const Vocabulary& vocabulary_of(const uint8_t* base) {
  return *reinterpret_cast<const Vocabulary*>(base + reinterpret_cast<const Lane*>(base)->vocabulary);
}

TAILRACE_FN int token_at(const uint8_t* base, const Part& part, int position) {
  return position >= 0 && position < part.text_length
             ? int32_at(base, part.text + 4 * static_cast<int64_t>(position))
             : TERMINATOR;
}

TAILRACE_FN int order_at(const uint8_t* base, const Part& part, int index) {
  return int32_at(base, part.order + 4 * static_cast<int64_t>(index));
}

/** How many tokens match, reading backwards from a position and from the context's end. */
TAILRACE_FN int match_at(const uint8_t* base, const Part& part, int position, const int32_t* context, int length, int depth) {
  int matched = 0;
  if (position < 0 || position >= part.text_length) return 0;
  const int32_t* text = reinterpret_cast<const int32_t*>(base + part.text);
  while (matched < depth && position >= matched && text[position - matched] == context[length - 1 - matched]) matched++;
  return matched;
}

/** Whether an entry of the order stands before the context. */
TAILRACE_FN bool is_before(const uint8_t* base, const Part& part, int index, const int32_t* context, int length, int depth) {
  int position = order_at(base, part, index);
  int match = match_at(base, part, position, context, length, depth);
  if (match == depth) return false;
  int before = position - match;
  return before < 0 || token_at(base, part, before) < context[length - 1 - match];
}

/** First order entry of a token's bucket, or with `on` 1 of the next bucket. */
TAILRACE_FN int bucket_start(const uint8_t* base, const Part& part, int token, int on) {
  int last = part.table_entries - 1;
  uint32_t bucket = static_cast<uint32_t>(token) >> part.table_shift;
  int entry = bucket < static_cast<uint32_t>(last) ? static_cast<int>(bucket) + on : last;
  int start = int32_at(base, part.table + 4 * static_cast<int64_t>(entry));
  return start < 0 ? 0 : least(start, part.order_length);
}

/** Where the context stands among order[low..high). */
template <class Team>
TAILRACE_FN int insertion(
    const Team& team, const uint8_t* base, const Part& part, int low, int high, const int32_t* context, int length, int depth) {
  while (low < high) {
    int64_t span = high - low;
    bool last = span <= LANES;
    auto pivot = [&](int lane) { return last ? low + lane : low + static_cast<int>(span * (lane + 1) / (LANES + 1)); };
    uint32_t before = team.ballot([&](int lane) {
      int at = pivot(lane);
      return at < high && is_before(base, part, at, context, length, depth);
    });
    int count = bits_set(before);
    int next_low = count == 0 ? low : pivot(count - 1) + 1;
    int next_high = last ? next_low : count == LANES ? high : pivot(count);
    low = next_low;
    high = next_high;
  }
  return low;
}

/** What the lanes know of the insertion point's neighbours: right of it in the first half, left of it in the second. */
struct Neighbours {
  int32_t position[2 * SHARED_MAX];
  int32_t match[2 * SHARED_MAX];
};
static_assert(2 * SHARED_MAX == LANES, "one lane a neighbour");

/** Where a neighbour stands in the result: right before left at equal match. */
TAILRACE_FN int rank_of(const Neighbours& neighbours, int lane) {
  bool right = lane < SHARED_MAX;
  int rank = right ? lane : lane - SHARED_MAX;
  int from = right ? SHARED_MAX : 0;
  for (int i = from; i < from + SHARED_MAX; i++) {
    int other = neighbours.match[i];
    rank += (right ? other > neighbours.match[lane] : other >= neighbours.match[lane]) ? 1 : 0;
  }
  return rank;
}

/** Finds the `count_max` (at most SHARED_MAX) occurrences nearest to the end of context[0..length). */
template <class Team>
TAILRACE_FN void search(const Team& team, const uint8_t* base, const Part& part, const int32_t* context, int length,
                        int count_max, Neighbours& neighbours, Found& found) {
  int depth = least(length, MATCH_LENGTH_MAX);
  int from = depth == 0 ? 0 : bucket_start(base, part, context[length - 1], 0);
  int to = depth == 0 ? 0 : bucket_start(base, part, context[length - 1], 1);
  int middle = insertion(team, base, part, from, to, context, length, depth);
  team.each([&](int lane) {
    int64_t at = lane < SHARED_MAX ? static_cast<int64_t>(middle) + lane : static_cast<int64_t>(middle) - 1 - (lane - SHARED_MAX);
    bool exists = at >= from && at < to;
    neighbours.position[lane] = exists ? order_at(base, part, static_cast<int>(at)) : 0;
    neighbours.match[lane] = exists ? match_at(base, part, neighbours.position[lane], context, length, depth) : 0;
  });
  uint32_t matching = team.ballot([&](int lane) { return neighbours.match[lane] > 0; });
  team.each([&](int lane) {
    int rank = neighbours.match[lane] > 0 ? rank_of(neighbours, lane) : count_max;
    if (rank < count_max) {
      found.position[rank] = neighbours.position[lane];
      found.match[rank] = neighbours.match[lane];
    }
  });
  team.once([&] { found.count = least(count_max, bits_set(matching)); });
}

}  // namespace tailrace
