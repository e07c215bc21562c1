// The mixer's inputs and the tables behind them. The tables are exported from Java (suffix/draft/MixerTables), so that both
// sides read the same numbers; nothing here calls a mathematical library.
#pragma once

#include "limits.h"

namespace tailrace {

/** Who votes: each source, and once more the answers to the four most similar requests. */
constexpr int POLLS = SOURCES + 1;
constexpr int RANKED = SOURCES;
constexpr int LEVELS = 8;
/** Thresholds of the ranked votes: all four, two, one. */
constexpr int RANKS = 3;
constexpr int VOTES = RANKED * LEVELS + RANKS;

/** Inputs of a candidate that are no shares of votes; they follow those in the layout. What each is says the Java Features. */
enum Scalar {
  SUPPORT,
  AGREEMENT,
  BIAS,
  MATCH,
  DEPTH,
  LONGEST,
  LATEST,
  RARITY_HERE,
  RARITY_ELSEWHERE,
  COPY_RATE,
  IN_ANSWER,
  RARITY_OWN,
  COUNT_HERE,
  NEAR_HERE,
  POPULARITY,
  UNVOTED,
  SCALARS
};
static_assert(SCALARS % 4 == 0, "they are summed in four sums");

constexpr int INPUTS = VOTES + SCALARS;
constexpr int LENGTH_SETS = 15;
constexpr int CROWD_SETS = 32;
constexpr int TOKEN_SETS = 48;
constexpr int PLACE_WEIGHTS = (LENGTH_SETS + CROWD_SETS) * INPUTS;
constexpr int WEIGHTS = PLACE_WEIGHTS + TOKEN_SETS * SCALARS;
constexpr int RARITIES = 4;
constexpr float RARITY_STEP = 0.425f;

constexpr int VOTES_MAX = 255;
constexpr int CROWD_MAX = 8;
constexpr float MATCH_CENTRE = 1.5f;
constexpr float DEPTH_SCALE = 0.1f;
constexpr float COUNT_SCALE = 0.3f;
constexpr int LOG_ODDS = 256 * 257 / 2;
constexpr int LOG_ONE_PLUS = 1024;
constexpr int EXPONENTIAL = 4097;
constexpr int EXPONENTIAL_LIMIT = 16;
constexpr int EXPONENTIAL_STEPS = 128;
constexpr int VOTE_LENGTHS = 23;
constexpr int SET_LENGTHS = 66;
constexpr int KEPT_STEPS = 128;

/** As one block of memory. Part of a policy: weights change with it, the rest never. */
struct Tables {
  /** Those that places choose, then those of the scalars that candidates choose. */
  float weights[WEIGHTS];
  float log_odds[LOG_ODDS];
  float log_one_plus[LOG_ONE_PLUS];
  float exponential[EXPONENTIAL];
  /** Weight set by longest match. */
  int32_t length_set[SET_LENGTHS];
  /** What is left of a followed answer's credit after so many steps without a match. */
  float kept[KEPT_STEPS];
  /** What a voter of a match length adds to its source's votes. */
  uint64_t vote[VOTE_LENGTHS];
};
static_assert(WEIGHTS == 5045 && LOG_ODDS == 32896, "layout 1");
static_assert(sizeof(Tables) == 4 * (5045 + 32896 + 1024 + 4097 + 66 + 128) + 8 * 23, "");

TAILRACE_FN int row_of(int total) { return total * (total + 1) / 2; }

TAILRACE_FN float log_one_plus(const Tables& tables, int count) {
  return tables.log_one_plus[least(count, LOG_ONE_PLUS - 1)];
}

TAILRACE_FN uint64_t vote_of(const Tables& tables, int match) { return tables.vote[least(match, VOTE_LENGTHS - 1)]; }

/** What an answer adds to the ranked votes whose request is the `rank`-th most similar, from 0. */
TAILRACE_FN uint64_t rank_vote(int rank) { return rank == 0 ? 0x010101 : rank == 1 ? 0x0101 : rank < 4 ? 0x01 : 0; }

TAILRACE_FN int length_set(const Tables& tables, int longest) {
  return tables.length_set[least(longest, SET_LENGTHS - 1)];
}

TAILRACE_FN int crowd_set(int candidates, bool own, bool shared) {
  return (least(candidates, CROWD_MAX) - 1) * 4 + (own ? 1 : 0) + (shared ? 2 : 0);
}

/** The weights that a candidate chooses: in the context or not, who votes for it, how rare it is. */
TAILRACE_FN int token_set(bool here, bool own, bool shared, bool similar, float rarity) {
  int rarity_class = least(RARITIES - 1, static_cast<int>(rarity / RARITY_STEP));
  int others = similar ? 2 : shared ? 1 : 0;
  return (here ? 1 : 0) + (own ? 2 : 0) + 4 * others + 12 * rarity_class;
}

TAILRACE_FN float exponential(const Tables& tables, float exponent) {
  float at = (exponent + EXPONENTIAL_LIMIT) * EXPONENTIAL_STEPS;
  if (!(at > 0)) return tables.exponential[0];
  if (at >= EXPONENTIAL - 1) return tables.exponential[EXPONENTIAL - 1];
  int index = static_cast<int>(at);
  float low = tables.exponential[index];
  return low + (tables.exponential[index + 1] - low) * (at - static_cast<float>(index));
}

}  // namespace tailrace
