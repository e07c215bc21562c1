// Describes a candidate: its inputs that are no shares of votes, as the Java CandidateInputs does. Nothing of it is kept, since nothing is
// learned here: each lane describes a candidate in its registers and weighs it at once.
#pragma once

#include "ballot.h"

namespace tailrace {

struct Described {
  float scalar[SCALARS];
  int token_set;
};

/** How many voters of a source a candidate of the place in hand has. */
template <class Space>
TAILRACE_FN int votes_of(const Space& space, int candidate, int source) {
  return static_cast<int>(space.votes[in_hand(space, candidate)][source] & VOTES_MAX);
}

template <class Space>
TAILRACE_FN int own_votes(const Space& space, int candidate) {
  return votes_of(space, candidate, OWN) + votes_of(space, candidate, SAID);
}

/** Votes of the shared sources. */
template <class Space>
TAILRACE_FN int shared_votes(const Space& space, int candidate) {
  return votes_of(space, candidate, OLDER) + votes_of(space, candidate, NEWEST) + votes_of(space, candidate, FRESH) +
         votes_of(space, candidate, SIMILAR);
}

template <class Space>
TAILRACE_FN void describe_votes(const Space& space, const Tables& tables, int place, int candidate, float* scalar) {
  int own = own_votes(space, candidate);
  int support = own + shared_votes(space, candidate);
  int match = space.match[candidate];
  scalar[SUPPORT] = log_one_plus(tables, support);
  scalar[AGREEMENT] = own > 0 && support > own ? 1.0f : 0.0f;
  scalar[MATCH] = log_one_plus(tables, match) - MATCH_CENTRE;
  scalar[LONGEST] = match == space.longest[place] ? 1.0f : 0.0f;
  scalar[LATEST] = own > 0 && space.latest_own[in_hand(space, candidate)] == space.latest[place] ? 1.0f : 0.0f;
  scalar[UNVOTED] = space.first_voter[candidate] < 0 ? 1.0f : 0.0f;
}

/** The token before a place. */
template <class Space>
TAILRACE_FN int token_before(const Space& space, const Slot& slot, int place) {
  return place == 0 ? slot.token(slot.length() - 1) : space.draft.token[place - 1];
}

/** What the context and the lane say of its token, and of what follows the one before; gives the weights it chooses. */
template <class Space>
TAILRACE_FN int describe_token(const Space& space, const Slot& slot, const Vocabulary& vocabulary, const Tables& tables, int place,
                               int following, int candidate, float* scalar) {
  int token = space.token[candidate];
  int classes = classes_of(vocabulary, token);
  int latest = latest_place(slot, token);
  bool here = latest != NONE;
  bool own = own_votes(space, candidate) > 0;
  bool popular = place == 0 && vocabulary.popular_tokens > 0;
  float rarity = vocabulary.rarity[count_class(classes)];
  scalar[RARITY_HERE] = here ? rarity : 0.0f;
  scalar[RARITY_ELSEWHERE] = here ? 0.0f : rarity;
  scalar[COPY_RATE] = here ? vocabulary.copied_here[rate_class(classes)] + vocabulary.copied_here[following]
                           : vocabulary.copied_elsewhere[rate_class(classes)] + vocabulary.copied_elsewhere[following];
  scalar[IN_ANSWER] = here && latest >= slot.header->answer_from ? 1.0f : 0.0f;
  scalar[RARITY_OWN] = own ? rarity : 0.0f;
  scalar[COUNT_HERE] = here ? log_one_plus(tables, slot.counts[latest]) * COUNT_SCALE : 0.0f;
  scalar[NEAR_HERE] = here && slot.length() - latest <= NEAR_TOKENS ? 1.0f : 0.0f;
  scalar[POPULARITY] = popular ? vocabulary.popularity[count_class(classes)] : 0.0f;
  return token_set(here, own, shared_votes(space, candidate) > 0, votes_of(space, candidate, SIMILAR) > 0, rarity);
}

template <class Space>
TAILRACE_FN Described describe(const Space& space, const Slot& slot, const Vocabulary& vocabulary, const Tables& tables, int place,
                               int following, int candidate) {
  Described described;
  described.scalar[BIAS] = 1.0f;
  described.scalar[DEPTH] = static_cast<float>(space.depth[place]) * DEPTH_SCALE;
  describe_votes(space, tables, place, candidate, described.scalar);
  described.token_set = describe_token(space, slot, vocabulary, tables, place, following, candidate, described.scalar);
  return described;
}

}  // namespace tailrace
