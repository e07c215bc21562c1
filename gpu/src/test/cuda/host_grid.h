// The kernels' world when g++ compiles them: one thread plays each warp, or each block, in turn.
#pragma once

#include <cstddef>

namespace tailrace_host {

struct Grid {
  int x, y;
  void* dynamic;
};
inline thread_local Grid grid{};

}  // namespace tailrace_host

#define TAILRACE_KERNEL static void
#define TAILRACE_WARP tailrace::Alone
#define TAILRACE_BLOCK_KERNEL static void
#define TAILRACE_SUMS(name) tailrace::AloneSums name
#define TAILRACE_SHARED(type, name) static thread_local type name
#define TAILRACE_DYNAMIC(type, name) type& name = *static_cast<type*>(tailrace_host::grid.dynamic)

inline int block_x() { return tailrace_host::grid.x; }
inline int block_y() { return tailrace_host::grid.y; }
inline int block_threads() { return 1; }
inline int thread() { return 0; }
