// What a verification needs of a draft, and what it makes of it.
//
// Rows of a verification: row 0 is the context's last token, row i + 1 is node i of the draft; logits of a row say what follows it.
// Acceptance: a token is chosen once at each row, and the walk follows the child that carries it; where there is none, that token is
// the model's own and the walk ends. Exact for any draft, since what is chosen does not depend on it.
#pragma once

#include "noise.h"
#include "workspace.h"

namespace tailrace {

constexpr int ROWS_MAX = BUDGET_MAX + 1;

/** What the model sees of a draft: each node's ancestors and itself as bits, and how far from row 0 it stands. */
struct TreeShape {
  uint64_t ancestors[BUDGET_MAX];
  int32_t offset[ROWS_MAX];
  int32_t rows;
};
static_assert(sizeof(TreeShape) == 8 * BUDGET_MAX + 4 * ROWS_MAX + 4, "");

TAILRACE_FN void shape_of(const Draft& draft, TreeShape& shape) {
  shape.rows = draft.size + 1;
  shape.offset[0] = 0;
  for (int node = 0; node < draft.size; node++) {
    int parent = draft.parent[node];
    shape.ancestors[node] = (parent < 0 ? 0 : shape.ancestors[parent]) | uint64_t{1} << node;
    shape.offset[node + 1] = draft.depth[node];
  }
}

/** Whether one row may look at another one of the same verification. */
TAILRACE_FN bool sees(const TreeShape& shape, int row, int other) {
  if (row >= shape.rows || other >= shape.rows) return row == other;
  return other == 0 || (row > 0 && (shape.ancestors[row - 1] >> (other - 1) & 1) != 0);
}

/**
 * Where an entry's draft stands in the inputs of a forward pass that the host planned before it knew the draft: `width` rows behind
 * the context's last token. Rows past the draft's end are padding: they look at the context and at themselves, and nobody reads what
 * comes of them.
 */
struct Seat {
  int64_t cell;      // of the first row and its own column, among the cells that say where a row must not look
  int32_t row;       // the first row's place among tokens and positions
  int32_t width;     // 0: the pass has no row for this draft
  int32_t columns;   // cells of a row
  int32_t position;  // of the context's last token
};
static_assert(sizeof(Seat) == 24, "the host writes it (StepMemory.SEAT_BYTES)");

/** The inputs of a forward pass that drafts are written into. */
struct PassInputs {
  int64_t* tokens;
  int64_t* positions;
  uint8_t* blocked;
  int32_t vocabulary, reserved;
};
static_assert(sizeof(PassInputs) == 32, "the host writes it (StepMemory.PASS_BYTES)");

/** The logits of a pass: packed rows of one float a token id. */
struct Logits {
  const float* rows;
  int32_t vocabulary, reserved;
};
static_assert(sizeof(Logits) == 16, "the host writes it (StepMemory.LOGITS_BYTES)");

/** What came of a verification: the accepted path's tokens, then the model's own; and the rows whose cache entries stay. */
struct Verdict {
  int32_t length, flags;
  int32_t token[ROWS_MAX];
  /** Row k of the compacted cache comes from row kept[k]; `length` of them, ascending, the first is row 0. */
  int32_t kept[ROWS_MAX];
};
static_assert(sizeof(Verdict) == 8 + 8 * ROWS_MAX, "");

TAILRACE_FN int child_with(const Draft& draft, int node, int token) {
  for (int child = node + 1; child < draft.size; child++) {
    if (draft.parent[child] == node && draft.token[child] == token) return child;
  }
  return NONE;
}

/** Follows what was chosen at each row. */
TAILRACE_FN void walk(const Draft& draft, const int32_t* chosen, Verdict& verdict) {
  verdict.flags = draft.flags;
  verdict.length = 0;
  for (int node = NONE, more = 1; more != 0;) {
    int token = chosen[node + 1];
    if (token < 0) {
      verdict.flags |= BAD_LOGITS;
      return;
    }
    verdict.kept[verdict.length] = node + 1;
    verdict.token[verdict.length++] = token;
    node = child_with(draft, node, token);
    more = node != NONE;
  }
}

}  // namespace tailrace
