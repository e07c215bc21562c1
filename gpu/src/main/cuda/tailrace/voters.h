// Finds who may vote, in the order of the Java VoterSearch.
#pragma once

#include "similar.h"

namespace tailrace {

/** True if one of the first voters stands at a position. */
template <class Space>
TAILRACE_FN bool holds(const Space& space, int from, int to, int position) {
  for (int voter = from; voter < to; voter++) {
    if (space.voter_position[voter] == position) return true;
  }
  return false;
}

/** The prompt and what the request has said are two sources. */
TAILRACE_FN int own_source(const Slot& slot, int place) { return place >= slot.header->answer_from ? SAID : OWN; }

/** Earlier occurrences of the context's end along the links: longest first, the latest place of each. */
template <class Space>
TAILRACE_FN void add_own(Space& space, const Slot& slot) {
  int state = slot.nodes[slot.header->tail].link;
  for (int added = 0; state > ROOT && added < OWN_MAX; added++) {
    const Node& node = slot.nodes[state];
    add_voter(space, OWN_TEXT, node.last_end, least(node.length, MATCH_LENGTH_MAX), own_source(slot, node.last_end));
    state = node.link;
  }
}

template <class Space>
TAILRACE_FN void add_shifted(Space& space, const Slot& slot, int state, int diverged, int first) {
  int position = slot.nodes[diverged].last_end;
  if (position < slot.length() - 1 && !holds(space, first, space.voters, position)) {
    add_voter(space, OWN_TEXT, position, least(slot.nodes[state].length, MATCH_LENGTH_MAX), OWN_GAPPED);
  }
}

/** For one match the latest place of each token but `taken` that followed it. */
template <class Space>
TAILRACE_FN void add_divergences(Space& space, const Slot& slot, int state, int taken, int first) {
  const Node& node = slot.nodes[state];
  for (int edge = node.spill; edge != NONE && space.voters - first < OWN_GAPPED_MAX; edge = slot.spill[edge].next) {
    if (slot.spill[edge].token != taken) add_shifted(space, slot, state, slot.spill[edge].target, first);
  }
  if (node.first_token != taken && node.first_token != NONE && space.voters - first < OWN_GAPPED_MAX) {
    add_shifted(space, slot, state, node.first_target, first);
  }
}

/** Places where the context without its last token matches and another token follows. */
template <class Space>
TAILRACE_FN void add_own_gapped(Space& space, const Slot& slot) {
  if (slot.length() < 2) return;
  int first = space.voters;
  int taken = slot.tokens[slot.length() - 1];
  int state = slot.nodes[slot.header->previous_tail].link;
  while (state > ROOT && slot.nodes[state].length >= OWN_GAPPED_MATCH_MIN && space.voters - first < OWN_GAPPED_MAX) {
    add_divergences(space, slot, state, taken, first);
    state = slot.nodes[state].link;
  }
}

TAILRACE_FN int recent_match(const Slot& slot, int place, const int32_t* line, int line_length) {
  int longest = least(MATCH_LENGTH_MAX, least(place + 1, line_length));
  int match = 1;
  while (match < longest && slot.tokens[place - match] == line[line_length - 1 - match]) match++;
  return match;
}

/**
 * Gathers the latest places of the line's last token that the context goes on after, at most `count_max`, with their matches: one
 * lane follows the chain, then each lane matches some places.
 */
template <class Team, class Space>
TAILRACE_FN void find_recent(const Team& team, Space& space, const Slot& slot, int line_length, int count_max) {
  team.once([&] {
    int token = space.line[line_length - 1];
    int last = slot.length() - 1;
    int found = 0;
    int place = slot.latest[recent_bucket(token)];
    for (int steps = 0; place != NONE && found < count_max && steps < RECENT_STEPS_MAX; steps++) {
      int next = slot.earlier[place];
      if (slot.tokens[place] == token && place < last) space.recent_place[found++] = place;
      place = next;
    }
    space.recents = found;
  });
  team.each([&](int lane) {
    for (int i = lane; i < space.recents; i += LANES) {
      space.recent_match[i] = recent_match(slot, space.recent_place[i], space.line, line_length);
    }
  });
}

/** The latest places of the last token that the automaton's links did not give. */
template <class Team, class Space>
TAILRACE_FN void add_recent(const Team& team, Space& space, const Slot& slot) {
  find_recent(team, space, slot, space.line_length, OWN_RECENT_MAX);
  team.once([&] {
    int known = space.voters;
    for (int i = 0; i < space.recents; i++) {
      if (!holds(space, 0, known, space.recent_place[i])) {
        add_voter(space, OWN_TEXT, space.recent_place[i], space.recent_match[i], own_source(slot, space.recent_place[i]));
      }
    }
  });
}

template <class Space>
TAILRACE_FN void add_nearest(Space& space, const Lane& lane, int part, const Found& found) {
  for (int i = 0; i < found.count; i++) {
    add_voter(space, part, found.position[i], found.match[i], lane.part[part].source);
  }
}

template <class Space>
TAILRACE_FN void add_gapped(Space& space, const uint8_t* base, const Part& part, int text, const Found& found, int last) {
  for (int i = 0; i < found.count; i++) {
    int position = found.position[i] + 1;
    int token = token_at(base, part, position);
    if (found.match[i] >= SHARED_GAPPED_MATCH_MIN && token >= 0 && token != last) {
      add_voter(space, text, position, found.match[i], SHARED_GAPPED);
    }
  }
}

/**
 * Adds all voters at the context's end. `found[2p]` holds the nearest occurrences of the context in part p, `found[2p + 1]` those
 * of the context without its last token.
 */
template <class Team, class Space>
TAILRACE_FN void collect(const Team& team, Space& space, const Slot& slot, const uint8_t* base, const Tables& tables,
                         const Found* found) {
  const Lane& lane = *reinterpret_cast<const Lane*>(base);
  int length = slot.length();
  team.each([&](int l) {
    for (int i = l; i < least(length, MATCH_LENGTH_MAX); i += LANES) {
      space.line[i] = slot.tokens[length - least(length, MATCH_LENGTH_MAX) + i];
    }
  });
  team.once([&] {
    space.line_length = least(length, MATCH_LENGTH_MAX);
    add_own(space, slot);
  });
  add_recent(team, space, slot);
  int shared = space.voters;
  team.once([&] {
    for (int part = 0; part < lane.parts; part++) add_nearest(space, lane, part, found[2 * part]);
  });
  add_aligned(team, space, slot, base, tables, shared);
  team.once([&] {
    for (int part = 0; part < lane.parts && length > SHARED_GAPPED_MATCH_MIN; part++) {
      add_gapped(space, base, lane.part[part], part, found[2 * part + 1], slot.tokens[length - 1]);
    }
    add_own_gapped(space, slot);
  });
  add_similar(team, space, slot);
}

/** Adds voters from the own context and from similar answers that match the end of the path to a node; some may have come along already. */
template <class Team, class Space>
TAILRACE_FN void renew(const Team& team, Space& space, const Slot& slot, int node) {
  if (space.draft.probability[node] < RENEWED_PROBABILITY_MIN) return;
  int depth = space.draft.depth[node];
  team.once([&] {
    int end = space.line_length + depth - 1;
    for (int at = node; at >= 0; at = space.draft.parent[at]) space.line[end--] = space.draft.token[at];
  });
  find_recent(team, space, slot, space.line_length + depth, RENEWED_OWN_MAX);
  team.once([&] {
    for (int i = 0; i < space.recents; i++) {
      add_voter(space, OWN_TEXT, space.recent_place[i] - depth, space.recent_match[i] - depth,
                own_source(slot, space.recent_place[i]));
    }
  });
  renew_similar(team, space, slot, depth);
}

}  // namespace tailrace
