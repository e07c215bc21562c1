// The mixer's inputs and the tables behind them. The tables are exported from Java (suffix/draft/MixerTables), so that both
// sides read the same numbers; nothing here calls a mathematical library.
#pragma once

#include "limits.h"

namespace tailrace {

constexpr int LEVELS = 8;
constexpr int VOTES = SOURCES * LEVELS;
constexpr int SUPPORT = VOTES;
constexpr int AGREEMENT = VOTES + 1;
constexpr int BIAS = VOTES + 2;
constexpr int MATCH = VOTES + 3;
constexpr int DEPTH = VOTES + 4;
constexpr int LONGEST = VOTES + 5;
constexpr int LATEST = VOTES + 6;
constexpr int INPUTS = VOTES + 7;
constexpr int LENGTH_SETS = 15;
constexpr int CROWD_SETS = 32;
constexpr int WEIGHTS = (LENGTH_SETS + CROWD_SETS) * INPUTS;

constexpr int VOTES_MAX = 255;
constexpr int CROWD_MAX = 8;
constexpr float MATCH_CENTRE = 1.5f;
constexpr float DEPTH_SCALE = 0.1f;
constexpr int LOG_ODDS = 256 * 257 / 2;
constexpr int LOG_ONE_PLUS = 1024;
constexpr int EXPONENTIAL = 4097;
constexpr int EXPONENTIAL_LIMIT = 16;
constexpr int EXPONENTIAL_STEPS = 128;
constexpr int VOTE_LENGTHS = 23;
constexpr int SET_LENGTHS = 66;

/** As one block of memory. Part of a policy: weights change with it, the rest never. */
struct Tables {
  float weights[WEIGHTS];
  float log_odds[LOG_ODDS];
  float log_one_plus[LOG_ONE_PLUS];
  float exponential[EXPONENTIAL];
  /** Weight set by longest match. */
  int32_t length_set[SET_LENGTHS];
  int32_t reserved[2];
  /** What a voter of a match length adds to its source's votes. */
  uint64_t vote[VOTE_LENGTHS];
};
static_assert(WEIGHTS == 2585 && LOG_ODDS == 32896, "layout 1");
static_assert(sizeof(Tables) == 4 * (2585 + 32896 + 1024 + 4097 + 66 + 2) + 8 * 23, "");

TAILRACE_FN int row_of(int total) { return total * (total + 1) / 2; }

TAILRACE_FN float log_one_plus(const Tables& tables, int count) {
  return tables.log_one_plus[least(count, LOG_ONE_PLUS - 1)];
}

TAILRACE_FN uint64_t vote_of(const Tables& tables, int match) { return tables.vote[least(match, VOTE_LENGTHS - 1)]; }

TAILRACE_FN int length_set(const Tables& tables, int longest) {
  return tables.length_set[least(longest, SET_LENGTHS - 1)];
}

TAILRACE_FN int crowd_set(int candidates, bool own, bool shared) {
  return (least(candidates, CROWD_MAX) - 1) * 4 + (own ? 1 : 0) + (shared ? 2 : 0);
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
