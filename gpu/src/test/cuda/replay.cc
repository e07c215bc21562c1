// Replays Java's drafts with one thread in the place of each warp.
#include "replay.h"

namespace {

struct OneThread {
  template <class F>
  void run(F f) {
    f(Alone{});
  }
};

}  // namespace

int main(int count, char** arguments) { return replay_main<OneThread>(count, arguments); }
