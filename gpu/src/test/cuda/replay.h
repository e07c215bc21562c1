// Replays drafts that Java has grown, and compares each bit. Reads records from a file; see CaseFile.java. Who searches and grows is given:
// one thread that plays a warp (replay.cc), or the threads of a warp, emulated (warp.cc).
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tailrace/drafter.h"

using namespace tailrace;

namespace {

constexpr int CONTEXT_MAX = 1 << 15;

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "replay: %s\n", why.c_str());
  std::exit(1);
}

struct Reader {
  FILE* file;

  void bytes(void* into, size_t count) {
    if (count > 0 && std::fread(into, 1, count, file) != count) fail("the case file ends early");
  }
  int32_t int32() {
    int32_t value;
    bytes(&value, sizeof value);
    return value;
  }
  std::vector<int32_t> ints() {
    std::vector<int32_t> values(static_cast<size_t>(int32()));
    bytes(values.data(), values.size() * 4);
    return values;
  }
};

/** `Workers::run(f)` has f(team) done by a team. */
template <class Workers>
struct Replay {
  Workers workers;
  std::unique_ptr<Tables> tables = std::make_unique<Tables>();
  std::vector<uint64_t> lane_block;
  std::vector<uint64_t> slot_block = std::vector<uint64_t>(slot_bytes(CONTEXT_MAX) / 8);
  int drafts = 0, nodes = 0, by_source[SOURCES] = {}, unvoted = 0;

  uint8_t* lane() { return reinterpret_cast<uint8_t*>(lane_block.data()); }
  Slot slot() { return Slot(reinterpret_cast<uint8_t*>(slot_block.data()), CONTEXT_MAX); }

  /** Adds a file of so many bytes at a multiple of 64; returns where. */
  static int64_t add_file(Reader& in, std::vector<uint8_t>& block, int length) {
    size_t at = (block.size() + 63) / 64 * 64;
    block.resize(at + static_cast<size_t>(length));
    in.bytes(block.data() + at, static_cast<size_t>(length));
    return static_cast<int64_t>(at);
  }

  void load_lane(Reader& in) {
    LanePlaces places{};
    std::vector<uint8_t> block(sizeof(Lane));
    places.vocabulary_bytes = in.int32();
    places.vocabulary = add_file(in, block, static_cast<int>(places.vocabulary_bytes));
    int parts = in.int32();
    if (parts > PARTS_MAX) fail("too many parts");
    for (int i = 0; i < parts; i++) {
      int source = in.int32();
      int text_id = in.int32();
      int length = in.int32();
      places.file[i] = FilePlace{add_file(in, block, length), length, source, text_id};
    }
    lane_block.assign((block.size() + 7) / 8, 0);
    std::memcpy(lane_block.data(), block.data(), block.size());
    open_lane(lane(), places, parts);
    if (reinterpret_cast<Lane*>(lane())->flags != 0) fail("a lane was refused");
  }

  void load_similar(Reader& in) {
    int length = in.int32();
    if (length > SIMILAR_BYTES) fail("more similar answers than a slot has room for");
    in.bytes(slot().similar, static_cast<size_t>(length));
  }

  void extend(const std::vector<int32_t>& tokens) {
    for (int32_t token : tokens) append(slot(), token);
  }

  std::vector<Found> search_all() {
    const Lane& l = *reinterpret_cast<const Lane*>(lane());
    std::vector<Found> found(2 * PARTS_MAX);
    Neighbours neighbours;
    for (int part = 0; part < l.parts; part++) {
      workers.run([&](auto team) {
        search(team, lane(), l.part[part], slot().tokens, slot().length(), SHARED_MAX, neighbours, found[2 * part]);
        search(team, lane(), l.part[part], slot().tokens, slot().length() - 1, SHARED_GAPPED_MAX, neighbours, found[2 * part + 1]);
      });
    }
    return found;
  }

  template <int NODES>
  void check(const std::vector<Found>& found, int budget, float floor, const Draft& expected) {
    auto space = std::make_unique<Workspace<NODES>>();
    std::memset(static_cast<void*>(space.get()), 0xA5, sizeof *space);  // shared memory comes as it is
    workers.run([&](auto team) { grow(team, *space, slot(), lane(), *tables, found.data(), budget, floor); });
    const Draft& draft = space->draft;
    std::string where = "draft " + std::to_string(drafts) + " after " + std::to_string(slot().length()) + " tokens: ";
    if (draft.flags != 0) fail(where + "flags " + std::to_string(draft.flags));
    if (draft.size != expected.size) {
      fail(where + "size must be " + std::to_string(expected.size) + ", got " + std::to_string(draft.size));
    }
    for (int i = 0; i < draft.size; i++) {
      bool same = draft.token[i] == expected.token[i] && draft.parent[i] == expected.parent[i] &&
                  draft.source[i] == expected.source[i] && draft.match[i] == expected.match[i] &&
                  std::memcmp(&draft.probability[i], &expected.probability[i], 4) == 0;
      if (!same) fail(where + "node " + std::to_string(i) + " differs");
    }
  }

  void draft(Reader& in) {
    int budget = in.int32();
    float floor;
    in.bytes(&floor, 4);
    Draft expected{};
    expected.size = in.int32();
    for (int i = 0; i < expected.size; i++) {
      expected.token[i] = in.int32();
      expected.parent[i] = in.int32();
      expected.source[i] = in.int32();
      expected.match[i] = in.int32();
      in.bytes(&expected.probability[i], 4);
    }
    std::vector<Found> found = search_all();
    const SlotHeader before = *slot().header;  // a draft notes in it what the request follows
    if (budget <= 16) check<16>(found, budget, floor, expected);
    *slot().header = before;
    if (budget <= 32) check<32>(found, budget, floor, expected);
    *slot().header = before;
    check<64>(found, budget, floor, expected);
    drafts++;
    nodes += expected.size;
    for (int i = 0; i < expected.size; i++) (expected.source[i] == NO_SOURCE ? unvoted : by_source[expected.source[i]])++;
  }

  void run(Reader& in) {
    for (int record = in.int32(); record != 0; record = in.int32()) {
      switch (record) {
        case 1: in.bytes(tables.get(), sizeof(Tables)); break;
        case 2: load_lane(in); break;
        case 3:
          slot().header->seed = slot().header->seed * 0x9E3779B1u + 1;  // drafts do not depend on it
          reset(Alone{}, slot());
          extend(in.ints());
          begin_answer(slot());
          break;
        case 4: draft(in); break;
        case 5: extend(in.ints()); break;
        case 6: load_similar(in); break;
        default: fail("unknown record " + std::to_string(record));
      }
    }
  }
};

/** A program's main: replays the file that is its argument. */
template <class Workers>
int replay_main(int count, char** arguments) {
  if (count != 2) fail("one argument: the case file");
  Reader in{std::fopen(arguments[1], "rb")};
  if (in.file == nullptr) fail(std::string("cannot read ") + arguments[1]);
  Replay<Workers> replay;
  replay.run(in);
  std::fclose(in.file);
  std::printf("drafts %d nodes %d unvoted %d by source", replay.drafts, replay.nodes, replay.unvoted);
  for (int count : replay.by_source) std::printf(" %d", count);
  std::printf("\n");
  return 0;
}

}  // namespace
