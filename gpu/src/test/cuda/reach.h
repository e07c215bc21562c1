// What a launch may touch: each array from its first byte to its last, by the launch's shape, its arguments and what stands in memory
// when it runs. The stand-in driver asks before it plays a launch, so that memory that is too short shows as it would on a device, and
// sooner: a device faults only where nothing else lies behind.
#pragma once

namespace {

/** The shape of a launch, and what was found of its arrays so far. */
struct Reach {
  unsigned x, y;
  bool (*may_touch)(uint64_t address, uint64_t bytes);
  bool fits = true;

  template <class T>
  bool array(const T* first, int64_t count) {
    constexpr int64_t MOST = int64_t{1} << 40;
    bool sized = count >= 0 && count <= MOST;
    fits = fits && sized && (count == 0 || may_touch(reinterpret_cast<uint64_t>(first), static_cast<uint64_t>(count) * sizeof(T)));
    return fits;
  }

  bool pool(const uint8_t* pool, int slots, int capacity) { return array(pool, slots * slot_bytes(capacity)); }

  bool vocabulary(const uint8_t* at) {
    return array(at, sizeof(Vocabulary)) &&
           array(at, sizeof(Vocabulary) + 2 * static_cast<int64_t>(reinterpret_cast<const Vocabulary*>(at)->tokens));
  }

  /** A lane that was opened, with the sections that are searched. */
  bool lane(const uint8_t* base) {
    if (!array(base, sizeof(Lane))) return false;
    const Lane& lane = *reinterpret_cast<const Lane*>(base);
    if (!vocabulary(base + lane.vocabulary)) return false;
    for (int i = 0; i < lane.parts; i++) {
      const Part& part = lane.part[i];
      array(base + part.text, 4 * static_cast<int64_t>(part.text_length));
      array(base + part.order, 4 * static_cast<int64_t>(part.order_length));
      array(base + part.table, 4 * static_cast<int64_t>(part.table_entries));
    }
    return fits;
  }

  bool views(const LaneView* views) {
    if (!array(views, x)) return false;
    for (unsigned b = 0; b < x; b++) {
      if (views[b].lane != nullptr) lane(views[b].lane) && array(views[b].tables, 1);
    }
    return fits;
  }
};

void reach_tailrace_open_lane(Reach& reach, uint8_t* lane, const LanePlaces* places, int count) {
  if (!reach.array(lane, sizeof(Lane)) || !reach.array(places, 1)) return;
  reach.array(lane + places->vocabulary, places->vocabulary_bytes);
  for (int i = 0; i < count; i++) reach.array(lane + places->file[i].offset, places->file[i].bytes);
}

void reach_tailrace_clear_pool(Reach& reach, uint8_t* pool, int capacity, int) {
  reach.pool(pool, static_cast<int>(reach.x), capacity);
}

void reach_tailrace_add(Reach& reach, uint8_t* pool, int pool_slots, int capacity, const int32_t* slots, const int32_t* tokens,
                        const int32_t* starts) {
  reach.pool(pool, pool_slots, capacity);
  if (!reach.array(slots, reach.x) || !reach.array(starts, reach.x + 1)) return;
  for (unsigned b = 0; b < reach.x; b++) {
    if (in_pool(slots[b], pool_slots)) reach.array(tokens + starts[b], starts[b + 1] - starts[b]);
  }
}

void reach_tailrace_prepare(Reach& reach, const int32_t* slots, int, Draft* drafts, Verdict* verdicts) {
  reach.array(slots, reach.x) && reach.array(drafts, reach.x) && reach.array(verdicts, reach.x);
}

void reach_tailrace_extend(Reach& reach, uint8_t* pool, int pool_slots, int capacity, const int32_t* slots, const Verdict* verdicts) {
  reach.pool(pool, pool_slots, capacity) && reach.array(slots, reach.x) && reach.array(verdicts, reach.x);
}

void reach_tailrace_search(Reach& reach, uint8_t* pool, int pool_slots, int capacity, const int32_t* slots, const LaneView* lanes,
                           Found* found) {
  reach.pool(pool, pool_slots, capacity) && reach.array(slots, reach.x) && reach.views(lanes) &&
      reach.array(found, static_cast<int64_t>(reach.x) * reach.y);
}

void reach_draft(Reach& reach, uint8_t* pool, int pool_slots, int capacity, const int32_t* slots, const LaneView* lanes,
                 const Found* found, const int32_t* budgets, Draft* drafts, TreeShape* shapes) {
  reach.pool(pool, pool_slots, capacity) && reach.array(slots, reach.x) && reach.views(lanes) &&
      reach.array(found, int64_t{2 * PARTS_MAX} * reach.x) && reach.array(budgets, reach.x) && reach.array(drafts, reach.x) &&
      reach.array(shapes, reach.x);
}
constexpr auto reach_tailrace_draft_16 = reach_draft;
constexpr auto reach_tailrace_draft_32 = reach_draft;
constexpr auto reach_tailrace_draft_64 = reach_draft;

void reach_tailrace_trim(Reach& reach, const int32_t* nodes, Draft* drafts, TreeShape* shapes) {
  reach.array(nodes, reach.x) && reach.array(drafts, reach.x) && reach.array(shapes, reach.x);
}

void reach_tailrace_mask(Reach& reach, const TreeShape* shapes, int rows_max, float* mask) {
  reach.array(shapes, reach.x) && reach.array(mask, static_cast<int64_t>(reach.x) * rows_max * rows_max);
}

void reach_tailrace_fill(Reach& reach, const Draft* drafts, const TreeShape* shapes, const Seat* seats, const PassInputs* pass) {
  bool known = reach.array(drafts, reach.x) && reach.array(shapes, reach.x) && reach.array(seats, reach.x) && reach.array(pass, 1);
  for (unsigned b = 0; known && b < reach.x; b++) {
    int rows = least(seats[b].width, static_cast<int>(reach.y));
    if (rows <= 0) continue;
    reach.array(pass->tokens + seats[b].row, rows);
    reach.array(pass->positions + seats[b].row, rows);
    reach.array(pass->blocked + seats[b].cell, (rows - int64_t{1}) * seats[b].columns + seats[b].width);
  }
}

/** Of the logits, the rows from the first one to the last that is read. */
void reach_tailrace_sample(Reach& reach, const uint8_t* pool, int pool_slots, int capacity, const int32_t* slots,
                           const TreeShape* shapes, const Logits* logits, const int32_t* first_rows, const Sampling* samplings,
                           int32_t* chosen) {
  bool known = reach.pool(pool, pool_slots, capacity) && reach.array(slots, reach.x) && reach.array(shapes, reach.x) &&
               reach.array(logits, 1) && reach.array(first_rows, reach.x) && reach.array(samplings, reach.x) &&
               reach.array(chosen, int64_t{ROWS_MAX} * reach.x);
  for (unsigned b = 0; known && b < reach.x; b++) {
    int rows = least(shapes[b].rows, static_cast<int>(reach.y));
    if (in_pool(slots[b], pool_slots)) reach.array(logits->rows, (int64_t{first_rows[b]} + rows) * logits->vocabulary);
  }
}

void reach_tailrace_accept(Reach& reach, const int32_t* slots, int, const Draft* drafts, const int32_t* chosen, Verdict* verdicts) {
  reach.array(slots, reach.x) && reach.array(drafts, reach.x) && reach.array(chosen, int64_t{ROWS_MAX} * reach.x) &&
      reach.array(verdicts, reach.x);
}

/** It goes where the numbers lead; only its ends are known. */
void reach_tailrace_chase(Reach& reach, const uint32_t* next, int, uint32_t* end) { reach.array(next, 1) && reach.array(end, 1); }

}  // namespace
