// The remembered answers that a request has been following, taken up again where it differed from them, as the Java Alignments does.
//
// What is followed stays in the slot from step to step; a step works on a copy in the workspace. A text is named by its id, not by its
// part's number, which another upload of the lane may give to another text: what no part holds any more is dropped before anything is read.
#pragma once

#include "workspace.h"

namespace tailrace {

template <class Space>
TAILRACE_FN void add_voter(Space& space, int text, int position, int match, int source) {
  if (space.voters >= Space::VOTERS) {
    space.draft.flags |= VOTERS_FULL;
    return;
  }
  int voter = space.voters++;
  space.voter_text[voter] = static_cast<int8_t>(text);
  space.voter_position[voter] = position;
  space.voter_match[voter] = match;
  space.voter_source[voter] = static_cast<int8_t>(source);
}

/** The part that holds a text, or NONE. */
TAILRACE_FN int part_with(const Lane& lane, int64_t text) {
  for (int part = 0; part < lane.parts; part++) {
    if (lane.part[part].text_id == text) return part;
  }
  return NONE;
}

TAILRACE_FN int64_t distance(int64_t a, int64_t b) { return a < b ? b - a : a - b; }

/** A credit as a match length. */
TAILRACE_FN int voice(int credit) { return least(credit, MATCH_LENGTH_MAX); }

template <class Space>
TAILRACE_FN void drop_gone(Space& space, const Lane& lane) {
  Alignments& all = space.alignments;
  int kept = 0;
  for (int i = 0; i < all.size; i++) {
    int part = part_with(lane, all.followed[i].text);
    if (part == NONE) continue;
    all.followed[kept] = all.followed[i];
    space.followed_part[kept++] = part;
  }
  all.size = kept;
}

/** The following that an occurrence belongs to, or NONE. */
TAILRACE_FN int following_of(const Alignments& all, int64_t text, int position, int length) {
  for (int i = 0; i < all.size; i++) {
    const Followed& followed = all.followed[i];
    if (followed.text == text && distance(position, followed.position) <= SAME_POSITIONS_MAX &&
        length - followed.length <= SAME_TOKENS_MAX) {
      return i;
    }
  }
  return NONE;
}

TAILRACE_FN float worth(const Alignments& all, const Tables& tables, int i) {
  const Followed& followed = all.followed[i];
  return static_cast<float>(followed.credit) * tables.kept[least(KEPT_STEPS - 1, all.step - followed.step)];
}

TAILRACE_FN int weakest(const Alignments& all, const Tables& tables) {
  int weakest = 0;
  for (int i = 1; i < all.size; i++) weakest = worth(all, tables, i) < worth(all, tables, weakest) ? i : weakest;
  return weakest;
}

TAILRACE_FN void put(Alignments& all, int i, int position, int length, int credit) {
  Followed& followed = all.followed[i];
  followed.position = position;
  followed.length = length;
  followed.credit = credit;
  followed.step = all.step;
}

template <class Space>
TAILRACE_FN void follow_anew(Space& space, const Tables& tables, int part, int64_t text, int position, int match, int length) {
  Alignments& all = space.alignments;
  int at = all.size;
  if (all.size < FOLLOWED_MAX) {
    all.size++;
  } else {
    at = weakest(all, tables);
    if (worth(all, tables, at) >= static_cast<float>(match)) return;
  }
  all.followed[at].text = text;
  space.followed_part[at] = part;
  put(all, at, position, length, match);
}

/** Takes note of an occurrence of the context's end. */
template <class Space>
TAILRACE_FN void follow_voter(Space& space, const Lane& lane, const Tables& tables, int voter, int length) {
  Alignments& all = space.alignments;
  int part = space.voter_text[voter];
  int position = space.voter_position[voter];
  int match = space.voter_match[voter];
  int64_t text = lane.part[part].text_id;
  int known = following_of(all, text, position, length);
  if (known == NONE) {
    follow_anew(space, tables, part, text, position, match, length);
    return;
  }
  const Followed& followed = all.followed[known];
  int gone = length - followed.length;
  if (match > FOLLOWED_MATCH_MIN || position - followed.position == gone) {
    put(all, known, position, length, followed.credit + most(1, gone));
  }
}

/** The places near the expected one, from `from` on: as many as there are lanes with a place each. */
struct Stretch {
  int64_t from, to;
};
static_assert(2 * SHIFT_MAX + 1 < LANES, "one lane a place, and one behind the last");
static_assert(LOST_TOKENS_MAX <= SHIFT_MAX, "a place still told is in the stretch");

/** Whether a document ends in [from, to). */
template <class Team>
TAILRACE_FN bool ends_between(const Team& team, const uint8_t* base, const Part& part, int64_t from, int64_t to) {
  bool ends = false;
  for (int64_t at = from; at < to && !ends; at += LANES) {
    ends = team.ballot([&](int lane) {
      int64_t place = at + lane;
      return place < to && (place >= part.text_length || token_at(base, part, static_cast<int>(place)) < 0);
    }) != 0;
  }
  return ends;
}

/**
 * Leaves in `space.sought` how far each place of a stretch matches the context's end; 0: not at all, or behind the document's end. Returns
 * how many places stand before that end.
 */
template <class Team, class Space>
TAILRACE_FN int match_stretch(const Team& team, Space& space, const Slot& slot, const uint8_t* base, const Part& part,
                               const Stretch& stretch) {
  int length = slot.length();
  auto token = [&](int lane) {
    int64_t at = stretch.from + lane;
    return at <= stretch.to && at < part.text_length ? token_at(base, part, static_cast<int>(at)) : TERMINATOR;
  };
  int places = lowest_bit(team.ballot([&](int lane) { return token(lane) < 0; }));
  team.each([&](int lane) {
    bool matches = lane < places && token(lane) == slot.tokens[length - 1];
    int position = static_cast<int>(stretch.from + lane);
    space.sought[lane] = matches ? match_at(base, part, position, slot.tokens, length, least(length, MATCH_LENGTH_MAX)) : 0;
  });
  return places;
}

/** The lane of the place that matches best, the nearer one among equals, then the earlier one; NONE: none matches. */
template <class Space>
TAILRACE_FN int best_of(const Space& space, int64_t from, int64_t expected) {
  int best = NONE;
  for (int lane = 0; lane < LANES; lane++) {
    if (space.sought[lane] == 0) continue;
    bool nearer = best != NONE && distance(from + lane, expected) < distance(from + best, expected);
    if (best == NONE || space.sought[lane] > space.sought[best] || (space.sought[lane] == space.sought[best] && nearer)) best = lane;
  }
  return best;
}

/** Adds where the request may be now in an answer that the step in hand has not met: nowhere behind its end, nor once it is lost for long. */
template <class Team, class Space>
TAILRACE_FN void tell_sought(const Team& team, Space& space, const Slot& slot, const uint8_t* base, int i) {
  const Followed followed = space.alignments.followed[i];
  int text = space.followed_part[i];
  const Part& part = reinterpret_cast<const Lane*>(base)->part[text];
  int length = slot.length();
  int64_t expected = static_cast<int64_t>(followed.position) + length - followed.length;
  int64_t after = static_cast<int64_t>(followed.position) + 1;
  int64_t near = expected - SHIFT_MAX;
  Stretch stretch{near < after ? after : near, expected + SHIFT_MAX};
  if (length - followed.length > SAME_TOKENS_MAX || ends_between(team, base, part, after, stretch.from)) return;
  int places = match_stretch(team, space, slot, base, part, stretch);
  team.once([&] {
    int best = best_of(space, stretch.from, expected);
    int position = static_cast<int>(stretch.from + most(0, best));
    if (best != NONE) {
      add_voter(space, text, position, voice(followed.credit), ALIGNED);
      if (space.sought[best] > 1) put(space.alignments, i, position, length, followed.credit + space.sought[best]);
    } else if (length - followed.length <= LOST_TOKENS_MAX && expected - stretch.from < places) {
      add_voter(space, text, static_cast<int>(expected), most(1, voice(followed.credit) / LOST_SHARE), ALIGNED);
    }
  });
}

/** Adds where a followed answer says that the request is now. */
template <class Team, class Space>
TAILRACE_FN void tell(const Team& team, Space& space, const Slot& slot, const uint8_t* base, int i) {
  const Followed followed = space.alignments.followed[i];
  if (followed.length == slot.length()) {
    team.once([&] { add_voter(space, space.followed_part[i], followed.position, voice(followed.credit), ALIGNED); });
  } else {
    tell_sought(team, space, slot, base, i);
  }
}

/** Follows the voters from `from` on, which are occurrences of the context's end in the lane, and adds what all followed answers say. */
template <class Team, class Space>
TAILRACE_FN void add_aligned(const Team& team, Space& space, const Slot& slot, const uint8_t* base, const Tables& tables, int from) {
  const Lane& lane = *reinterpret_cast<const Lane*>(base);
  int length = slot.length();
  team.once([&] {
    space.alignments = slot.header->alignments;
    space.alignments.step++;
    drop_gone(space, lane);
    int to = space.voters;
    for (int voter = from; voter < to; voter++) {
      if (space.voter_match[voter] >= FOLLOWED_MATCH_MIN) follow_voter(space, lane, tables, voter, length);
    }
  });
  int size = space.alignments.size;
  for (int i = 0; i < size; i++) tell(team, space, slot, base, i);
  team.once([&] { slot.header->alignments = space.alignments; });
}

}  // namespace tailrace
