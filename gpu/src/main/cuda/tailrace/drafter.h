// Grows a draft best-first by the probability of the whole path, as the Java AdaptiveDrafter does.
#pragma once

#include "mixer.h"

namespace tailrace {

/** A candidate waits to be drafted; no more are kept than can still be. The likeliest is last, the older first among equals. */
template <class Space>
TAILRACE_FN void push(Space& space, float probability, int candidate) {
  float* probabilities = space.frontier_probability;
  int32_t* candidates = space.frontier_candidate;
  bool full = space.frontier_size == space.frontier_room;
  if (full && (space.frontier_room == 0 || probability <= probabilities[0])) return;
  int at = full ? 1 : 0;
  while (at < space.frontier_size && probabilities[at] < probability) at++;
  if (full) {
    at--;
    for (int i = 0; i < at; i++) {
      probabilities[i] = probabilities[i + 1];
      candidates[i] = candidates[i + 1];
    }
  } else {
    for (int i = space.frontier_size++; i > at; i--) {
      probabilities[i] = probabilities[i - 1];
      candidates[i] = candidates[i - 1];
    }
  }
  probabilities[at] = probability;
  candidates[at] = candidate;
}

/** Takes out the likeliest candidate; room shrinks by it. */
template <class Space>
TAILRACE_FN int pop(Space& space) {
  int first = space.frontier_candidate[--space.frontier_size];
  int surplus = space.frontier_size - --space.frontier_room;
  if (surplus > 0) {
    for (int i = 0; i < space.frontier_room; i++) {
      space.frontier_probability[i] = space.frontier_probability[i + surplus];
      space.frontier_candidate[i] = space.frontier_candidate[i + surplus];
    }
    space.frontier_size = space.frontier_room;
  }
  return first;
}

/** True if a child of this probability would still be taken in and drafted. */
template <class Space>
TAILRACE_FN bool has_hope(const Space& space, float probability) {
  if (space.frontier_size < space.frontier_room) return probability > 0;
  return space.frontier_room > 0 && probability > space.frontier_probability[0];
}

template <class Space>
TAILRACE_FN void add_node(Space& space, int candidate) {
  Draft& draft = space.draft;
  int node = draft.size++;
  int voter = space.best_voter[candidate];
  int parent = space.place_of[candidate] - 1;
  draft.token[node] = space.token[candidate];
  draft.parent[node] = parent;
  draft.depth[node] = parent < 0 ? 1 : draft.depth[parent] + 1;
  draft.source[node] = voter < 0 ? NO_SOURCE : space.voter_source[voter];
  draft.match[node] = voter < 0 ? 0 : most(1, space.voter_match[voter]);
  draft.probability[node] = space.probability[candidate];
}

/** Lets the voters of a new place vote, judges the candidates, and puts those above the floor on the frontier. */
template <class Team, class Space>
TAILRACE_FN void expand(const Team& team, Space& space, const Slot& slot, const uint8_t* base, const Tables& tables, int place,
                        int first_voter, int depth, float reached, float floor) {
  vote(team, space, slot, base, tables, place, first_voter, depth);
  const Vocabulary& vocabulary = vocabulary_of(base);
  if (place == 0) add_popular(team, space, vocabulary, place);
  if (space.first[place] == space.end[place]) return;
  judge(team, space, slot, vocabulary, tables, place, reached);
  team.once([&] {
    for (int candidate = space.first[place]; candidate < space.end[place]; candidate++) {
      if (space.probability[candidate] >= floor) push(space, space.probability[candidate], candidate);
    }
  });
}

/** Gives the node drafted last, `candidate`, its own place. */
template <class Team, class Space>
TAILRACE_FN void go_on(const Team& team, Space& space, const Slot& slot, const uint8_t* base, const Tables& tables, int candidate,
                       float floor) {
  int node = space.draft.size - 1;
  int known = space.voters;
  renew(team, space, slot, node);
  team.once([&] { join(space, candidate, known); });
  expand(team, space, slot, base, tables, node + 1, space.first_voter[candidate], space.draft.depth[node],
         space.probability[candidate], floor);
}

template <class Team, class Space>
TAILRACE_FN void begin(const Team& team, Space& space, int nodes_max, int flags) {
  team.once([&] {
    space.draft.size = 0;
    space.draft.flags = flags;
    space.voters = 0;
    space.candidates = 0;
    space.frontier_size = 0;
    space.frontier_room = nodes_max;
  });
}

/** Links all voters in their order. */
template <class Space>
TAILRACE_FN void link_all(Space& space) {
  for (int voter = 0; voter < space.voters; voter++) {
    space.voter_next[voter] = static_cast<int16_t>(voter + 1 < space.voters ? voter + 1 : NONE);
  }
}

/**
 * Leaves a draft of at most `nodes_max` nodes in `space.draft`. A request with a flag, its own or one raised here, gets an empty
 * draft.
 */
template <class Team, class Space>
TAILRACE_FN void grow(const Team& team, Space& space, const Slot& slot, const uint8_t* base, const Tables& tables,
                      const Found* found, int nodes_max, float floor) {
  nodes_max = least(nodes_max, Space::NODES_MAX);
  begin(team, space, nodes_max, slot.header->flags);
  if (space.draft.flags != 0 || nodes_max <= 0 || slot.length() == 0) return;
  collect(team, space, slot, base, tables, found);
  team.once([&] { link_all(space); });
  expand(team, space, slot, base, tables, 0, space.voters == 0 ? NONE : 0, 0, 1, floor);
  while (space.draft.size < nodes_max && space.frontier_size > 0 && space.draft.flags == 0) {
    int candidate = space.frontier_candidate[space.frontier_size - 1];
    team.once([&] {
      pop(space);
      add_node(space, candidate);
    });
    bool hope = has_hope(space, space.probability[candidate] * CHILD_PROBABILITY_HOPED);
    if (hope) go_on(team, space, slot, base, tables, candidate, floor);
  }
  team.once([&] {
    if (space.draft.flags != 0) space.draft.size = 0;
  });
}

}  // namespace tailrace
