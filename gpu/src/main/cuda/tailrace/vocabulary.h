// What a lane says of each token: the classes and tables of the Java LaneVocabulary, written by VocabularyImage.
#pragma once

#include "limits.h"

namespace tailrace {

constexpr int CLASSES = 256;

struct Vocabulary {
  int32_t tokens;   // ids below it have classes of their own
  int32_t unknown;  // classes of all others
  int32_t popular_tokens;
  int32_t unknown_following;  // class of the copy rate of what follows all others
  /** Those said most, most often first. */
  int32_t popular[POPULAR_MAX];
  /** By class of count. */
  float rarity[CLASSES], popularity[CLASSES];
  /** By class of copy rate. */
  float copied_here[CLASSES], copied_elsewhere[CLASSES];
  // Then uint16_t classes[tokens]: the count's in the lower byte, the copy rate's in the higher one; then uint8_t following[tokens]: the
  // class of the copy rate of what follows.
};
static_assert(sizeof(Vocabulary) == 4160, "the host writes it (VocabularyImage)");

/** Whether so many bytes are a vocabulary, by their size and counts. */
TAILRACE_FN bool is_vocabulary(const uint8_t* at, int64_t bytes) {
  const Vocabulary& vocabulary = *reinterpret_cast<const Vocabulary*>(at);
  if (bytes < static_cast<int64_t>(sizeof(Vocabulary)) || vocabulary.tokens < 0) return false;
  return bytes >= static_cast<int64_t>(sizeof(Vocabulary)) + 3 * static_cast<int64_t>(vocabulary.tokens) &&
         vocabulary.popular_tokens >= 0 && vocabulary.popular_tokens <= POPULAR_MAX;
}

TAILRACE_FN int classes_of(const Vocabulary& vocabulary, int token) {
  const uint16_t* classes = reinterpret_cast<const uint16_t*>(&vocabulary + 1);
  return token >= 0 && token < vocabulary.tokens ? classes[token] : vocabulary.unknown;
}

/** Class of the copy rate of what follows a token. */
TAILRACE_FN int following_class(const Vocabulary& vocabulary, int token) {
  const uint8_t* following = reinterpret_cast<const uint8_t*>(&vocabulary + 1) + 2 * static_cast<int64_t>(vocabulary.tokens);
  return token >= 0 && token < vocabulary.tokens ? following[token] : vocabulary.unknown_following;
}

TAILRACE_FN int count_class(int classes) { return classes & (CLASSES - 1); }

TAILRACE_FN int rate_class(int classes) { return classes >> 8 & (CLASSES - 1); }

}  // namespace tailrace
