// The answers to the requests most like one, as the Java SimilarTexts holds them: the host finds and copies them, and writes them behind the
// request's context; the places in them that vote are found here.
//
// After the header: text[tokens]; then places[places], each token's together, in the order in which the Java side visits them; then
// first[mask + 1], where a token's places begin, in an open-addressed table by a seeded hash; then ranks[tokens] in bytes.
#pragma once

#include "alignments.h"

namespace tailrace {

struct Similar {
  SimilarHeader header;
  const int32_t* text;
  const int32_t* places;
  const int32_t* first;
  /** Whose request is how similar, by place in the text: 0 is the most similar. */
  const uint8_t* ranks;

  TAILRACE_FN explicit Similar(const Slot& slot) : header(*slot.similar) {
    text = reinterpret_cast<const int32_t*>(slot.similar + 1);
    places = text + header.tokens;
    first = places + header.places;
    ranks = reinterpret_cast<const uint8_t*>(first + header.mask + 1);
  }

  TAILRACE_FN int token(int position) const { return position >= 0 && position < header.tokens ? text[position] : TERMINATOR; }

  /** Where a token's places begin; behind all places where it has none. */
  TAILRACE_FN int first_of(int token) const {
    if (header.places == 0) return 0;
    uint32_t mask = static_cast<uint32_t>(header.mask);
    uint32_t at = mixed(static_cast<uint32_t>(token), header.seed) & mask;
    while (first[at] != NONE && text[places[first[at]]] != token) at = (at + 1) & mask;
    return first[at] == NONE ? header.places : first[at];
  }

  /** One of the places, if it is still the token's; else NONE. */
  TAILRACE_FN int place(int at, int token) const {
    return at < header.places && text[places[at]] == token ? places[at] : NONE;
  }

  /** How many tokens up to a place are the line's last ones; its last one is. */
  TAILRACE_FN int match(int place, const int32_t* line, int line_length) const {
    int longest = least(MATCH_LENGTH_MAX, least(place + 1, line_length));
    int match = 1;
    while (match < longest && text[place - match] == line[line_length - 1 - match]) match++;
    return match;
  }
};

/** Takes a place among the voters from `first` on, those that match longest, of equal ones the first offered. */
template <class Space>
TAILRACE_FN void offer_similar(Space& space, int first, int place, int match) {
  bool full = space.voters - first == SIMILAR_PLACES_MAX;
  if (full && match <= space.voter_match[space.voters - 1]) return;
  if (!full) add_voter(space, SIMILAR_TEXT, place, match, SIMILAR);
  int at = space.voters - 1;
  for (; at > first && space.voter_match[at - 1] < match; at--) {
    space.voter_position[at] = space.voter_position[at - 1];
    space.voter_match[at] = space.voter_match[at - 1];
  }
  space.voter_position[at] = place;
  space.voter_match[at] = match;
}

/** Adds the places of the context's last token that match longest: each lane matches one, and one lane ranks them. */
template <class Team, class Space>
TAILRACE_FN void add_similar(const Team& team, Space& space, const Slot& slot) {
  Similar similar(slot);
  int first_voter = space.voters;
  int token = space.line[space.line_length - 1];
  int from = similar.first_of(token);
  for (int visited = 0; visited < SIMILAR_VISITED_MAX; visited += LANES) {
    auto place = [&](int lane) { return visited + lane < SIMILAR_VISITED_MAX ? similar.place(from + visited + lane, token) : NONE; };
    int count = bits_set(team.ballot([&](int lane) { return place(lane) != NONE; }));
    team.each([&](int lane) {
      if (lane < count) space.sought[lane] = similar.match(place(lane), space.line, space.line_length);
    });
    team.once([&] {
      for (int lane = 0; lane < count; lane++) offer_similar(space, first_voter, place(lane), space.sought[lane]);
    });
    if (count < LANES) return;
  }
}

/** Adds the first places of the last token of a path `depth` tokens deep, which the line ends with. */
template <class Team, class Space>
TAILRACE_FN void renew_similar(const Team& team, Space& space, const Slot& slot, int depth) {
  Similar similar(slot);
  int length = space.line_length + depth;
  int token = space.line[length - 1];
  int from = similar.first_of(token);
  auto place = [&](int lane) { return lane < RENEWED_SIMILAR_MAX ? similar.place(from + lane, token) : NONE; };
  team.each([&](int lane) {
    if (place(lane) != NONE) space.sought[lane] = similar.match(place(lane), space.line, length);
  });
  team.once([&] {
    for (int i = 0; place(i) != NONE; i++) add_voter(space, SIMILAR_TEXT, place(i) - depth, space.sought[i] - depth, SIMILAR);
  });
}

}  // namespace tailrace
