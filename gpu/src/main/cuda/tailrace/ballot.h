// Lets the voters of one place vote for the next token, as the Java Ballot does.
//
// Each voter votes for one token at a place and, if that token is drafted, goes on to the new place: one `next` link a voter holds
// every candidate's voters. The lanes read what the voters say at once; then the votes are cast in the voters' order.
#pragma once

#include "voters.h"

namespace tailrace {

template <class Space>
TAILRACE_FN void link(Space& space, int candidate, int voter) {
  space.voter_next[voter] = NONE;
  if (space.first_voter[candidate] < 0) {
    space.first_voter[candidate] = static_cast<int16_t>(voter);
  } else {
    space.voter_next[space.last_voter[candidate]] = static_cast<int16_t>(voter);
  }
  space.last_voter[candidate] = static_cast<int16_t>(voter);
}

template <class Space>
TAILRACE_FN bool has_voter(const Space& space, int candidate, int wanted) {
  for (int voter = space.first_voter[candidate]; voter >= 0; voter = space.voter_next[voter]) {
    if (space.voter_position[voter] == space.voter_position[wanted] && space.voter_text[voter] == space.voter_text[wanted]) {
      return true;
    }
  }
  return false;
}

/** Gives the voters found since `from` to a candidate, but for those it has already. */
template <class Space>
TAILRACE_FN void join(Space& space, int candidate, int from) {
  for (int voter = from; voter < space.voters; voter++) {
    if (!has_voter(space, candidate, voter)) link(space, candidate, voter);
  }
}

/** Opens a place for candidates. */
template <class Space>
TAILRACE_FN void open_place(Space& space, int place, int depth) {
  space.opened = space.candidates;
  space.first[place] = space.candidates;
  space.end[place] = space.candidates;
  space.depth[place] = depth;
  space.longest[place] = 0;
  space.latest[place] = NO_POSITION;
  for (int poll = 0; poll < POLLS; poll++) space.totals[poll] = 0;
}

/** A candidate's number among those of the place in hand. */
template <class Space>
TAILRACE_FN int in_hand(const Space& space, int candidate) {
  return candidate - space.opened;
}

/** Adds a candidate to the place opened last, or NONE where there is no room. */
template <class Space>
TAILRACE_FN int add_candidate(Space& space, int place, int token) {
  if (space.candidates >= Space::CANDIDATES || in_hand(space, space.candidates) >= Space::CANDIDATES_IN_HAND) {
    space.draft.flags |= CANDIDATES_FULL;
    return NONE;
  }
  int candidate = space.candidates++;
  space.token[candidate] = token;
  space.match[candidate] = 0;
  space.best_voter[candidate] = NONE;
  space.latest_own[in_hand(space, candidate)] = NO_POSITION;
  space.first_voter[candidate] = NONE;
  space.last_voter[candidate] = NONE;
  space.place_of[candidate] = static_cast<int16_t>(place);
  for (int poll = 0; poll < POLLS; poll++) space.votes[in_hand(space, candidate)][poll] = 0;
  space.end[place] = space.candidates;
  return candidate;
}

template <class Space>
TAILRACE_FN void count_vote(Space& space, int candidate, int poll, uint64_t vote) {
  if ((space.totals[poll] & VOTES_MAX) != VOTES_MAX) {
    space.totals[poll] += vote;
    space.votes[in_hand(space, candidate)][poll] += vote;
  }
}

/** Its credit stands in for a match length among its like, whatever the depth; it matches nothing. */
template <class Space>
TAILRACE_FN void cast_aligned(Space& space, const Tables& tables, int voter, int candidate) {
  if (space.best_voter[candidate] < 0) space.best_voter[candidate] = static_cast<int16_t>(voter);
  count_vote(space, candidate, ALIGNED, vote_of(tables, space.voter_match[voter]));
}

template <class Space>
TAILRACE_FN void cast_vote(Space& space, const Similar& similar, const Tables& tables, int place, int voter, int candidate, int depth) {
  link(space, candidate, voter);
  int source = space.voter_source[voter];
  if (source == ALIGNED) {
    cast_aligned(space, tables, voter, candidate);
    return;
  }
  int match = space.voter_match[voter] + depth;
  if (match > space.match[candidate]) {
    space.match[candidate] = match;
    space.best_voter[candidate] = static_cast<int16_t>(voter);
    space.longest[place] = most(space.longest[place], match);
  }
  if (source == OWN || source == SAID) {
    int32_t& latest_own = space.latest_own[in_hand(space, candidate)];
    latest_own = most(latest_own, space.voter_position[voter]);
    space.latest[place] = most(space.latest[place], space.voter_position[voter]);
  }
  count_vote(space, candidate, source, vote_of(tables, match));
  if (source == SIMILAR) {
    count_vote(space, candidate, RANKED, rank_vote(similar.ranks[space.voter_position[voter] + 1 + depth]));
  }
}

/** The candidate of a place that carries a token, or NONE. */
template <class Team, class Space>
TAILRACE_FN int find_candidate(const Team& team, const Space& space, int place, int token) {
  int end = space.end[place];
  for (int from = space.first[place]; from < end; from += LANES) {
    uint32_t same = team.ballot([&](int lane) { return from + lane < end && space.token[from + lane] == token; });
    if (same != 0) return from + lowest_bit(same);
  }
  return NONE;
}

/** Fills a place with its candidates; the voters begin at `first_voter`, `depth` tokens of the draft lead to the place. */
template <class Team, class Space>
TAILRACE_FN void vote(const Team& team, Space& space, const Slot& slot, const uint8_t* base, const Tables& tables, int place,
                      int first_voter, int depth) {
  const Lane& lane = *reinterpret_cast<const Lane*>(base);
  Similar similar(slot);
  team.once([&] {
    open_place(space, place, depth);
    space.turns = 0;
    for (int voter = first_voter; voter >= 0; voter = space.voter_next[voter]) {
      space.turn[space.turns++] = static_cast<int16_t>(voter);
    }
  });
  team.each([&](int l) {
    for (int i = l; i < space.turns; i += LANES) {
      int voter = space.turn[i];
      int text = space.voter_text[voter];
      int position = space.voter_position[voter] + 1 + depth;
      space.said[i] = text == OWN_TEXT       ? slot.token(position)
                      : text == SIMILAR_TEXT ? similar.token(position)
                                             : token_at(base, lane.part[text], position);
    }
  });
  int turns = space.turns;
  for (int i = 0; i < turns; i++) {
    int token = space.said[i];
    if (token < 0) continue;
    int known = find_candidate(team, space, place, token);
    team.once([&] {
      int voter = space.turn[i];
      int candidate = known == NONE ? add_candidate(space, place, token) : known;
      if (candidate != NONE) cast_vote(space, similar, tables, place, voter, candidate, depth);
    });
  }
}

/** Adds the lane's popular tokens to a place, those that nobody names. */
template <class Team, class Space>
TAILRACE_FN void add_popular(const Team& team, Space& space, const Vocabulary& vocabulary, int place) {
  for (int rank = 0; rank < vocabulary.popular_tokens; rank++) {
    int token = vocabulary.popular[rank];
    if (find_candidate(team, space, place, token) == NONE) team.once([&] { add_candidate(space, place, token); });
  }
}

}  // namespace tailrace
