// The kernels around the core. Also compiles with g++ for the tests' stand-in driver, where one thread plays each warp or block in
// turn (TAILRACE_HOST). All shapes are fixed by the launch; nothing is allocated, nothing waits for the host, and what changes from step
// to step, addresses too, is data in memory: so steps are captured as graphs, one for each size of batch. A batch entry with slot -1 is
// idle: its draft and verdict are empty.
//
// Arrays by batch entry: slots[b], lanes[b], drafts[b], shapes[b], verdicts[b], found[b][2 x PARTS_MAX], samplings[b],
// chosen[b][ROWS_MAX], mask[b][rows_max][rows_max]. Logits are packed rows; those of entry b begin at row first_rows[b].
#include <cmath>

#include "tailrace/drafter.h"
#include "tailrace/sampler.h"
#include "tailrace/verify.h"

#if defined(TAILRACE_HOST)
#include "host_grid.h"
#else
#include "tailrace/warp.cuh"
#define TAILRACE_KERNEL extern "C" __global__ void
#define TAILRACE_WARP Warp
#define TAILRACE_BLOCK_KERNEL extern "C" __global__ void __launch_bounds__(BLOCK, 2)
#define TAILRACE_SUMS(name)            \
  __shared__ BlockSpace name##_space; \
  BlockSums name{name##_space}
#define TAILRACE_SHARED(type, name) __shared__ type name
#define TAILRACE_DYNAMIC(type, name)             \
  extern __shared__ uint64_t dynamic_memory[];   \
  type& name = *reinterpret_cast<type*>(dynamic_memory)
namespace {
__device__ inline int block_x() { return static_cast<int>(blockIdx.x); }
__device__ inline int block_y() { return static_cast<int>(blockIdx.y); }
__device__ inline int block_threads() { return static_cast<int>(blockDim.x); }
__device__ inline int thread() { return static_cast<int>(threadIdx.x); }
}  // namespace
#endif

using namespace tailrace;

namespace {

/** What an entry drafts from. No lane: it gets no draft, but its context's flags. */
struct LaneView {
  const uint8_t* lane;
  const Tables* tables;
  float floor;
  int32_t reserved;
};
static_assert(sizeof(LaneView) == 24, "the host writes it (CudaDevice.LANE_VIEW_BYTES)");

TAILRACE_FN bool in_pool(int slot, int slots) { return slot >= 0 && slot < slots; }

TAILRACE_FN Slot slot_at(uint8_t* pool, int slot, int capacity) { return Slot(pool + slot * slot_bytes(capacity), capacity); }

}  // namespace

/** Reads the headers of a lane that was just uploaded. One thread. */
TAILRACE_KERNEL tailrace_open_lane(uint8_t* lane, const LanePlaces* places, int count) {
  if (thread() == 0) open_lane(lane, *places, count);
}

/** Marks every slot of a pool as never added, and gives it its seed. Grid: slots. */
TAILRACE_KERNEL tailrace_clear_pool(uint8_t* pool, int capacity, int seed) {
  if (thread() == 0) *slot_at(pool, block_x(), capacity).header = empty_header(capacity, NOT_ADDED, static_cast<uint32_t>(seed));
}

/** add_request: a slot's context becomes the prompt tokens[starts[b]..starts[b + 1]). Grid: batch; 32 threads. */
TAILRACE_KERNEL tailrace_add(uint8_t* pool, int pool_slots, int capacity, const int32_t* slots, const int32_t* tokens,
                             const int32_t* starts) {
  TAILRACE_WARP team;
  int b = block_x();
  if (!in_pool(slots[b], pool_slots)) return;
  Slot slot = slot_at(pool, slots[b], capacity);
  reset(team, slot);
  team.once([&] {
    for (int i = starts[b]; i < starts[b + 1]; i++) append(slot, tokens[i]);
    begin_answer(slot);
  });
}

/** prepare: empties what the last step left for a batch, and says which entries cannot be served. Grid: batch. */
TAILRACE_KERNEL tailrace_prepare(const int32_t* slots, int pool_slots, Draft* drafts, Verdict* verdicts) {
  int b = block_x();
  if (thread() != 0) return;
  int flags = slots[b] == NONE || in_pool(slots[b], pool_slots) ? 0 : BAD_SLOT;
  drafts[b].size = 0;
  drafts[b].flags = flags;
  drafts[b].grown = 0;
  drafts[b].reserved = 0;
  verdicts[b].length = 0;
  verdicts[b].flags = flags;
}

/** extend: appends each verdict's tokens to its slot. Grid: batch; 32 threads. */
TAILRACE_KERNEL tailrace_extend(uint8_t* pool, int pool_slots, int capacity, const int32_t* slots, const Verdict* verdicts) {
  TAILRACE_WARP team;
  int b = block_x();
  if (!in_pool(slots[b], pool_slots)) return;
  Slot slot = slot_at(pool, slots[b], capacity);
  team.once([&] {
    for (int i = 0; i < verdicts[b].length && i < ROWS_MAX; i++) append(slot, verdicts[b].token[i]);
  });
}

/** Searches the context's end and the context without its last token in each part. Grid: batch x 2 PARTS_MAX; 32 threads. */
TAILRACE_KERNEL tailrace_search(uint8_t* pool, int pool_slots, int capacity, const int32_t* slots,
                                const LaneView* lanes, Found* found) {
  TAILRACE_SHARED(Neighbours, neighbours);
  TAILRACE_WARP team;
  int b = block_x();
  int part = block_y() / 2;
  bool gapped = block_y() % 2 == 1;
  Found& result = found[b * 2 * PARTS_MAX + block_y()];
  team.once([&] { result.count = 0; });
  const uint8_t* lane = lanes[b].lane;
  if (!in_pool(slots[b], pool_slots) || lane == nullptr) return;
  const Lane& header = *reinterpret_cast<const Lane*>(lane);
  if (part >= header.parts) return;
  Slot slot = slot_at(pool, slots[b], capacity);
  int length = slot.length() - (gapped ? 1 : 0);
  if (slot.header->flags != 0 || length <= 0) return;
  search(team, lane, header.part[part], slot.tokens, length, gapped ? SHARED_GAPPED_MAX : SHARED_MAX, neighbours, result);
}

namespace {

template <int NODES>
TAILRACE_FN void draft_batch(uint8_t* pool, int pool_slots, int capacity, const int32_t* slots, const LaneView* lanes,
                             const Found* found, const int32_t* budgets, Draft* drafts, TreeShape* shapes) {
  TAILRACE_DYNAMIC(Workspace<NODES>, space);
  TAILRACE_WARP team;
  int b = block_x();
  const LaneView& view = lanes[b];
  if (!in_pool(slots[b], pool_slots)) {
    team.once([&] { shape_of(drafts[b], shapes[b]); });
    return;
  }
  Slot slot = slot_at(pool, slots[b], capacity);
  if (view.lane == nullptr) {
    team.once([&] {
      drafts[b].flags = slot.header->flags;
      shape_of(drafts[b], shapes[b]);
    });
    return;
  }
  grow(team, space, slot, view.lane, *view.tables, found + b * 2 * PARTS_MAX, budgets[b], view.floor);
  team.each([&](int l) {
    for (int node = l; node < space.draft.size; node += LANES) {
      drafts[b].token[node] = space.draft.token[node];
      drafts[b].parent[node] = space.draft.parent[node];
      drafts[b].depth[node] = space.draft.depth[node];
      drafts[b].source[node] = space.draft.source[node];
      drafts[b].match[node] = space.draft.match[node];
      drafts[b].probability[node] = space.draft.probability[node];
    }
  });
  team.once([&] {
    drafts[b].size = space.draft.size;
    drafts[b].flags = space.draft.flags;
    drafts[b].grown = space.draft.size;
    shape_of(space.draft, shapes[b]);
  });
}

}  // namespace

/**
 * Grows drafts of at most 16, 32 or 64 nodes from what was found, and notes in the slots which answers the requests follow. Grid: batch; 32
 * threads; the workspace as dynamic memory.
 */
#define TAILRACE_DRAFT(NODES)                                                                                                 \
  TAILRACE_KERNEL tailrace_draft_##NODES(uint8_t* pool, int pool_slots, int capacity, const int32_t* slots,                   \
                                         const LaneView* lanes, const Found* found, const int32_t* budgets, Draft* drafts,    \
                                         TreeShape* shapes) {                                                                 \
    draft_batch<NODES>(pool, pool_slots, capacity, slots, lanes, found, budgets, drafts, shapes);                             \
  }
TAILRACE_DRAFT(16)
TAILRACE_DRAFT(32)
TAILRACE_DRAFT(64)

/**
 * Keeps the first nodes[b] of each draft: a tree too, since parents come before their children, in which each node sees what it saw.
 * Grid: batch.
 */
TAILRACE_KERNEL tailrace_trim(const int32_t* nodes, Draft* drafts, TreeShape* shapes) {
  int b = block_x();
  if (thread() != 0) return;
  int size = most(0, least(drafts[b].size, nodes[b]));
  drafts[b].size = size;
  shapes[b].rows = size + 1;
}

/** Writes the additive attention mask among a verification's rows: 0 where a row may look, -inf elsewhere. Grid: batch x rows. */
TAILRACE_KERNEL tailrace_mask(const TreeShape* shapes, int rows_max, float* mask) {
  int b = block_x();
  int row = block_y();
  for (int other = thread(); other < rows_max; other += block_threads()) {
    mask[(static_cast<int64_t>(b) * rows_max + row) * rows_max + other] = sees(shapes[b], row, other) ? 0.0f : -HUGE_VALF;
  }
}

/**
 * Writes each draft into the inputs of a forward pass, which so reads it without the host having seen it: token ids, positions, and
 * for each row which of the draft's own columns it must not look at. Grid: batch x widest possible seat; 32 threads. A draft longer than its
 * seat was trimmed before.
 */
TAILRACE_KERNEL tailrace_fill(const Draft* drafts, const TreeShape* shapes, const Seat* seats, const PassInputs* pass) {
  int b = block_x();
  int node = block_y();
  const Seat& seat = seats[b];
  if (node >= seat.width) return;
  if (thread() == 0) {
    bool drafted = node < drafts[b].size;
    bool known = drafted && drafts[b].token[node] < pass->vocabulary;  // an unknown token is never accepted: no row can choose it
    pass->tokens[seat.row + node] = known ? drafts[b].token[node] : 0;
    pass->positions[seat.row + node] = seat.position + (drafted ? drafts[b].depth[node] : 1);
  }
  uint8_t* cells = pass->blocked + seat.cell + static_cast<int64_t>(node) * seat.columns;
  for (int other = thread(); other < seat.width; other += block_threads()) {
    cells[other] = sees(shapes[b], node + 1, other + 1) ? 0 : 1;
  }
}

/** Chooses a token at each row of each verification. Grid: batch x rows; BLOCK threads. */
TAILRACE_BLOCK_KERNEL tailrace_sample(const uint8_t* pool, int pool_slots, int capacity, const int32_t* slots, const TreeShape* shapes,
                                const Logits* logits, const int32_t* first_rows, const Sampling* samplings, int32_t* chosen) {
  TAILRACE_SUMS(sums);
  int b = block_x();
  int row = block_y();
  if (!in_pool(slots[b], pool_slots) || row >= shapes[b].rows) return;
  const SlotHeader& header = *reinterpret_cast<const SlotHeader*>(pool + slots[b] * slot_bytes(capacity));
  const float* line = logits->rows + (static_cast<int64_t>(first_rows[b]) + row) * logits->vocabulary;
  int token = sample(sums, line, logits->vocabulary, samplings[b], header.length + static_cast<int64_t>(shapes[b].offset[row]));
  if (thread() == 0) chosen[b * ROWS_MAX + row] = token;
}

/** Follows what was chosen. Grid: batch. */
TAILRACE_KERNEL tailrace_accept(const int32_t* slots, int pool_slots, const Draft* drafts, const int32_t* chosen,
                                Verdict* verdicts) {
  int b = block_x();
  if (thread() == 0 && in_pool(slots[b], pool_slots)) walk(drafts[b], chosen + b * ROWS_MAX, verdicts[b]);
}
