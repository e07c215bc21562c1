// What one draft needs while it grows: voters, candidates, places, the tree. Fits into a block's shared memory.
//
// Why nothing overflows with room for N nodes: the context's end has at most 8 + 24 own voters, 5 x 16 shared, 8 aligned, 5 x 8 + 6
// gapped, 16 similar: 182. A node that gets children adds at most 4 + 4. A voter's way ends at one candidate, and a candidate that voters leave again
// became a node; popular tokens that nobody names are 12 more, at the context's end: so at most voters + N + 12 candidates. Of one place
// each candidate has a voter there or is one of the 12: so at most voters + 12.
#pragma once

#include "segment.h"
#include "slot.h"
#include "tables.h"

namespace tailrace {

constexpr int VOTERS_AT_ROOT =
    OWN_MAX + OWN_RECENT_MAX + PARTS_MAX * (SHARED_MAX + SHARED_GAPPED_MAX) + FOLLOWED_MAX + OWN_GAPPED_MAX +
    SIMILAR_PLACES_MAX;
static_assert(VOTERS_AT_ROOT == 182, "the proof above");
static_assert(RENEWED_OWN_MAX <= OWN_RECENT_MAX, "places of either fit");
constexpr int RENEWED_MAX = RENEWED_OWN_MAX + RENEWED_SIMILAR_MAX;
/** In place of a part's number. */
constexpr int OWN_TEXT = -1;
constexpr int SIMILAR_TEXT = -2;
/** In place of a node's source: no voter names it. */
constexpr int NO_SOURCE = -1;
constexpr int NO_POSITION = INT32_MIN;

/**
 * A grown draft, as it goes back to the host. Node i's parent comes before i; -1 is the context's end. `size` nodes are verified, the
 * first of the `grown` ones.
 */
struct Draft {
  int32_t size, flags, grown, reserved;
  int32_t token[BUDGET_MAX], parent[BUDGET_MAX], depth[BUDGET_MAX], source[BUDGET_MAX], match[BUDGET_MAX];
  float probability[BUDGET_MAX];
};
static_assert(sizeof(Draft) == 16 + 6 * 4 * BUDGET_MAX, "");

template <int NODES>
struct Workspace {
  static constexpr int NODES_MAX = NODES;
  static constexpr int VOTERS = VOTERS_AT_ROOT + RENEWED_MAX * NODES;
  static constexpr int CANDIDATES = VOTERS + NODES + POPULAR_MAX;
  static constexpr int CANDIDATES_IN_HAND = VOTERS + POPULAR_MAX;
  static_assert(CANDIDATES <= INT16_MAX, "voters and candidates are noted in 16 bits");

  // Votes of the place in hand, and of its candidates; 64-bit fields first.
  uint64_t votes[CANDIDATES_IN_HAND][POLLS];
  uint64_t totals[POLLS];
  int32_t latest_own[CANDIDATES_IN_HAND];
  int32_t opened;  // the place's first candidate
  // The answers that the request follows, as in its slot; the parts they stand in now; how far the places in hand match.
  Alignments alignments;
  int32_t followed_part[FOLLOWED_MAX];
  int32_t sought[LANES];

  // Candidates.
  int32_t token[CANDIDATES], match[CANDIDATES];
  float probability[CANDIDATES];
  int16_t best_voter[CANDIDATES], first_voter[CANDIDATES], last_voter[CANDIDATES], place_of[CANDIDATES];
  int32_t candidates;

  // Places: 0 is the context's end, i + 1 is node i.
  int32_t first[NODES + 1], end[NODES + 1], depth[NODES + 1], longest[NODES + 1], latest[NODES + 1];

  // Voters, with a list of those whose turn it is and what each of them says.
  int32_t voter_position[VOTERS], voter_match[VOTERS], said[VOTERS];
  int16_t voter_next[VOTERS], turn[VOTERS];
  int8_t voter_text[VOTERS], voter_source[VOTERS];
  int32_t voters, turns;

  // The mixer's view of one place.
  float weight[INPUTS], voteless[VOTES], common;
  int32_t row[VOTES];

  // Candidates not drafted yet; the likeliest is last.
  float frontier_probability[NODES];
  int32_t frontier_candidate[NODES];
  int32_t frontier_size, frontier_room;

  // The context's end, then a path of the draft; places of its last token with their matches.
  int32_t line[MATCH_LENGTH_MAX + NODES];
  int32_t line_length;
  int32_t recent_place[OWN_RECENT_MAX], recent_match[OWN_RECENT_MAX];
  int32_t recents;

  Draft draft;
};
static_assert(sizeof(Workspace<16>) == 43368 && sizeof(Workspace<32>) == 59816 && sizeof(Workspace<64>) == 92712,
              "the host asks for these sizes (StepKernels.WORKSPACE_BYTES)");

}  // namespace tailrace
