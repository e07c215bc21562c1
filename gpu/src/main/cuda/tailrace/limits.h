// Capacities and constants of drafting: those of the Java drafter (suffix/draft), by the same names.
#pragma once

#include "platform.h"

namespace tailrace {

constexpr int NONE = -1;
constexpr int TERMINATOR = -1;
constexpr int MATCH_LENGTH_MAX = 64;
constexpr int BUDGET_MAX = 64;

enum Source {
  OWN = 0,
  OLDER = 1,
  NEWEST = 2,
  FRESH = 3,
  SHARED_GAPPED = 4,
  OWN_GAPPED = 5,
  ALIGNED = 6,
  SIMILAR = 7,
  SAID = 8,
  SOURCES = 9
};

constexpr int OWN_MAX = 8;
constexpr int OWN_RECENT_MAX = 24;
constexpr int OWN_GAPPED_MAX = 6;
constexpr int SHARED_MAX = 16;
constexpr int SHARED_GAPPED_MAX = 8;
constexpr int SHARED_GAPPED_MATCH_MIN = 1;
constexpr int OWN_GAPPED_MATCH_MIN = 1;
constexpr int RENEWED_OWN_MAX = 4;
constexpr float RENEWED_PROBABILITY_MIN = 0.05f;
constexpr float CHILD_PROBABILITY_HOPED = 0.5f;
constexpr int LINKS_REFRESHED_MAX = 32;
constexpr int RECENT_STEPS_MAX = 64;
constexpr int RECENT_BUCKETS_LOG = 14;
constexpr int CONTEXT_COUNT_MAX = 255;
constexpr int NEAR_TOKENS = 100;

constexpr int FOLLOWED_MAX = 8;
constexpr int FOLLOWED_MATCH_MIN = 3;
constexpr int SHIFT_MAX = 12;
constexpr int SAME_POSITIONS_MAX = 48;
constexpr int SAME_TOKENS_MAX = 64;
constexpr int LOST_TOKENS_MAX = 6;
constexpr int LOST_SHARE = 4;

constexpr int SIMILAR_MAX = 16;
constexpr int SIMILAR_TAIL_MAX = 3;
constexpr int SIMILAR_TOKENS_MAX = 4096;
constexpr int SIMILAR_VISITED_MAX = 400;
constexpr int SIMILAR_PLACES_MAX = 16;
constexpr int RENEWED_SIMILAR_MAX = 4;

constexpr int POPULAR_MAX = 12;

/** Shared parts a draft looks into: at most three older segments, the newest, the worker's own fresh generations. */
constexpr int PARTS_MAX = 5;

/** Why a request is not served on the device; its draft is empty and the host drafts for it. Sticky until it is added anew. */
enum Flag : int32_t {
  CONTEXT_FULL = 1,     // more tokens than the slot holds
  BAD_TOKEN = 2,        // a token below zero
  SPILL_FULL = 4,       // cannot happen: the bound is proved in slot.h; checked all the same
  VOTERS_FULL = 8,      // cannot happen: the bound is proved in workspace.h; checked all the same
  CANDIDATES_FULL = 16, // likewise
  NOT_ADDED = 32,       // a slot that no request was added to
  BAD_LOGITS = 64,      // a logit that is not a number
  BAD_SLOT = 128,       // a slot number outside the pool
};

/** Why a lane is not drafted from. */
enum LaneFlag : int32_t {
  FOREIGN_BYTES = 1,  // not a segment of version 1
  BAD_BOUNDS = 2,     // a section lies outside its file
  TOO_MANY_PARTS = 4,
  BAD_VOCABULARY = 8,  // no vocabulary of the size it says
};

}  // namespace tailrace
