// Judges the candidates of a place, as the Java Mixer and PlaceInputs do: the same sums in the same order.
#pragma once

#include "inputs.h"

namespace tailrace {

/** The scalars weighted by the place's sets and the candidate's own, in four sums. */
template <class Space>
TAILRACE_FN float of_scalars(const Space& space, const Tables& tables, const Described& described) {
  const float* own = tables.weights + PLACE_WEIGHTS + described.token_set * SCALARS;
  float sums[4] = {0, 0, 0, 0};
  for (int i = 0; i < SCALARS; i += 4) {
    for (int j = 0; j < 4; j++) sums[j] += described.scalar[i + j] * (space.weight[VOTES + i + j] + own[i + j]);
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/** The weighted sum of a candidate's inputs. */
template <class Space>
TAILRACE_FN float log_odds(const Space& space, const Tables& tables, int candidate, const Described& described) {
  float sum = space.common;
  for (int poll = 0; poll < POLLS; poll++) {
    uint64_t votes = space.votes[in_hand(space, candidate)][poll];
    for (int input = poll * LEVELS; votes != 0; input++, votes >>= 8) {
      float odds = tables.log_odds[space.row[input] + static_cast<int>(votes & VOTES_MAX)];
      sum += space.weight[input] * (odds - space.voteless[input]);
    }
  }
  return sum + of_scalars(space, tables, described);
}

/** Takes the place in hand: the lanes fetch weights and rows, one lane sums what the candidates have in common. */
template <class Team, class Space>
TAILRACE_FN void open_mixer(const Team& team, Space& space, const Tables& tables, int place) {
  const uint64_t* totals = space.totals;
  bool own = totals[OWN] != 0 || totals[SAID] != 0;
  bool shared = totals[OLDER] != 0 || totals[NEWEST] != 0 || totals[FRESH] != 0 || totals[SIMILAR] != 0;
  int by_length = length_set(tables, space.longest[place]) * INPUTS;
  int by_crowd = (LENGTH_SETS + crowd_set(space.end[place] - space.first[place], own, shared)) * INPUTS;
  team.each([&](int lane) {
    for (int input = lane; input < INPUTS; input += LANES) {
      space.weight[input] = (tables.weights[by_length + input] + tables.weights[by_crowd + input]) * 0.5f;
      if (input < VOTES) {
        space.row[input] = row_of(static_cast<int>(totals[input / LEVELS] >> (8 * (input % LEVELS)) & VOTES_MAX));
        space.voteless[input] = tables.log_odds[space.row[input]];
      }
    }
  });
  team.once([&] {
    float common = 0;
    for (int poll = 0; poll < POLLS; poll++) {
      uint64_t left = totals[poll];
      for (int input = poll * LEVELS; left != 0; input++, left >>= 8) common += space.weight[input] * space.voteless[input];
    }
    space.common = common;
  });
}

/** Writes the path probability of each candidate of a place that the draft reaches with `reached`. */
template <class Team, class Space>
TAILRACE_FN void judge(const Team& team, Space& space, const Slot& slot, const Vocabulary& vocabulary, const Tables& tables, int place,
                       float reached) {
  open_mixer(team, space, tables, place);
  int first = space.first[place];
  int end = space.end[place];
  int following = following_class(vocabulary, token_before(space, slot, place));
  team.each([&](int lane) {
    for (int candidate = first + lane; candidate < end; candidate += LANES) {
      Described described = describe(space, slot, vocabulary, tables, place, following, candidate);
      space.probability[candidate] = exponential(tables, log_odds(space, tables, candidate, described));
    }
  });
  team.once([&] {
    float sum = 1;
    for (int candidate = first; candidate < end; candidate++) sum += space.probability[candidate];
    space.common = sum;
  });
  team.each([&](int lane) {
    for (int candidate = first + lane; candidate < end; candidate += LANES) {
      space.probability[candidate] = reached * (space.probability[candidate] / space.common);
    }
  });
}

}  // namespace tailrace
