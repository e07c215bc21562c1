// A driver library for tests without a GPU: the functions that the binding calls, on the host's memory, with our kernels compiled
// for the host. What is queued on a stream runs only when somebody waits for it, as late as a driver may: a buffer that is reused or
// freed too early shows. It checks what a driver may not: each array that a kernel is given must lie, to its last byte, in a live
// allocation, or in the host's own memory, which this device shares (reach.h). An error of a kernel sticks to the process, as on a device: every further call
// gives the same, until the test says that the process is another one.
//
// It shows nothing about warps, the order of memory accesses, or what runs beside what.
#include <sys/mman.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#define TAILRACE_HOST
#include "kernels.cu"
#include "chase.cu"
#include "reach.h"

namespace {

constexpr int OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_DEVICE = 101, INVALID_IMAGE = 200, INVALID_CONTEXT = 201,
              INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600, ILLEGAL_ADDRESS = 700, LAUNCH_TIMEOUT = 702, LAUNCH_FAILED = 719,
              CAPTURE_UNSUPPORTED = 900;
constexpr uint64_t LEGACY = 1;  // the default stream's handle, where it is named
constexpr uint64_t MEMORY = uint64_t{256} << 20, PAGE = 4096;
constexpr size_t SHARED_UNASKED = 48 << 10, SHARED_MOST = 227 << 10;

using Work = std::function<int()>;

struct Stream {
  std::deque<Work> queue;
  bool capturing = false;
  std::vector<Work> captured;

  /** Runs later; where the stream captures, whenever the graph runs. */
  int push(Work work) {
    if (capturing) {
      captured.push_back(std::move(work));
    } else {
      queue.push_back(std::move(work));
    }
    return 0;
  }
};

/** A graph, and what was instantiated of it. */
struct Graph {
  std::vector<Work> work;
};

struct Event {
  Stream* stream = nullptr;
  bool pending = false, asked = false;
  std::chrono::steady_clock::time_point at{};
};

std::recursive_mutex lock;
std::map<uint64_t, uint64_t> allocations, freed;  // address -> bytes; a freed address never comes back
std::map<uint64_t, uint64_t> pinned;
std::set<Stream*> streams;
std::set<Event*> events;
std::set<void*> modules;
std::set<Graph*> graphs;
Stream legacy;
uint64_t used = 0;
int contexts = 0, sticky = OK;
int fail_after = -1, fail_code = OK;
int waits = 0;
thread_local void* current = nullptr;
int the_context;

bool holds(const std::map<uint64_t, uint64_t>& ranges, uint64_t address, uint64_t bytes) {
  auto after = ranges.upper_bound(address);
  if (after == ranges.begin()) return false;
  --after;
  return address - after->first <= after->second && bytes <= after->second - (address - after->first);
}

uint64_t host(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

uint64_t in_pages(uint64_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

/** Whether any of the pages that hold a range belongs to one of these. */
bool meets(const std::map<uint64_t, uint64_t>& ranges, uint64_t address, uint64_t bytes) {
  auto before = ranges.lower_bound(address + bytes);
  if (before == ranges.begin()) return false;
  --before;
  return before->first + in_pages(before->second) > address;
}

bool is_mapped(uint64_t address, uint64_t bytes) {
  uint64_t first = address / PAGE * PAGE;
  std::vector<unsigned char> resident(in_pages(address + bytes - first) / PAGE);
  return mincore(reinterpret_cast<void*>(first), resident.size() * PAGE, resident.data()) == 0;
}

bool is_live(uint64_t address, uint64_t bytes) { return holds(allocations, address, bytes); }

/** What a kernel may touch: live memory of the device, or memory of the host that was never the device's. */
bool may_touch(uint64_t address, uint64_t bytes) {
  return is_live(address, bytes) ||
         (!meets(allocations, address, bytes) && !meets(freed, address, bytes) && is_mapped(address, bytes));
}

/** Codes after which a process can do nothing more with its device. */
bool stays(int code) { return code == ILLEGAL_ADDRESS || code == LAUNCH_TIMEOUT || code == LAUNCH_FAILED; }

/** Each call of the driver passes here: the one that was asked to fails. */
int injected() {
  if (fail_after < 0 || fail_after-- > 0) return OK;
  if (stays(fail_code)) sticky = fail_code;
  return fail_code;
}

#define TAILRACE_CALL()                              \
  std::lock_guard<std::recursive_mutex> held(lock);  \
  if (int code = injected()) return code;            \
  if (sticky != OK) return sticky

/** Calls that give back do so whatever they answer. */
#define TAILRACE_FREEING()                           \
  std::lock_guard<std::recursive_mutex> held(lock);  \
  int answer = injected();                           \
  if (answer == OK) answer = sticky

int drain(Stream& stream) {
  while (!stream.queue.empty()) {
    Work work = std::move(stream.queue.front());
    stream.queue.pop_front();
    int code = sticky == OK ? work() : sticky;
    if (code != OK) sticky = code;
  }
  return sticky;
}

Stream* stream_of(void* handle) {
  if (handle == nullptr || host(handle) == LEGACY) return &legacy;
  Stream* stream = static_cast<Stream*>(handle);
  return streams.count(stream) == 1 ? stream : nullptr;
}

/** Binds a launch's arguments: checks what they reach when it runs, then plays every block in turn. */
template <auto kernel, auto reached>
struct Launch;
template <class... A, void (*kernel)(A...), void (*reached)(Reach&, A...)>
struct Launch<kernel, reached> {
  template <size_t... I>
  static std::tuple<A...> read(void** params, std::index_sequence<I...>) {
    return std::tuple<A...>(*static_cast<A*>(params[I])...);
  }

  static std::function<int(unsigned, unsigned, size_t)> bind(void** params) {
    std::tuple<A...> arguments = read(params, std::index_sequence_for<A...>{});
    return [arguments](unsigned grid_x, unsigned grid_y, size_t shared_bytes) {
      Reach reach{grid_x, grid_y, may_touch};
      std::apply([&](A... each) { reached(reach, each...); }, arguments);
      if (!reach.fits) return ILLEGAL_ADDRESS;
      std::vector<uint64_t> dynamic(shared_bytes / 8 + 1, 0xA5A5A5A5A5A5A5A5);
      for (unsigned y = 0; y < grid_y; y++) {
        for (unsigned x = 0; x < grid_x; x++) {
          tailrace_host::grid = {static_cast<int>(x), static_cast<int>(y), dynamic.data()};
          std::apply(kernel, arguments);
        }
      }
      return OK;
    };
  }
};

struct Kernel {
  std::string name;
  std::function<int(unsigned, unsigned, size_t)> (*bind)(void**);
  size_t shared_most = SHARED_UNASKED;
};

#define KERNEL(name) {#name, &Launch<&name, &*reach_##name>::bind}
std::vector<Kernel> kernels = {
    KERNEL(tailrace_open_lane), KERNEL(tailrace_clear_pool), KERNEL(tailrace_add),      KERNEL(tailrace_prepare),
    KERNEL(tailrace_extend),    KERNEL(tailrace_search),     KERNEL(tailrace_draft_16), KERNEL(tailrace_draft_32),
    KERNEL(tailrace_draft_64),  KERNEL(tailrace_trim),       KERNEL(tailrace_mask),     KERNEL(tailrace_fill),
    KERNEL(tailrace_sample),    KERNEL(tailrace_accept),     KERNEL(tailrace_chase)};

int move(uint64_t to, uint64_t from, size_t bytes) {
  if (bytes > 0) std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  return OK;
}

/** Where one side is the device's, it must be live when the copy runs. */
Work copying(uint64_t to, bool to_device, uint64_t from, bool from_device, size_t bytes) {
  return [=] {
    bool live = (!to_device || is_live(to, bytes)) && (!from_device || is_live(from, bytes));
    return live ? move(to, from, bytes) : ILLEGAL_ADDRESS;
  };
}

int copy_now(uint64_t to, bool to_device, uint64_t from, bool from_device, size_t bytes) {
  if (current == nullptr) return INVALID_CONTEXT;
  if ((to_device && !is_live(to, bytes)) || (from_device && !is_live(from, bytes))) return INVALID_VALUE;
  int code = drain(legacy);
  return code == OK ? move(to, from, bytes) : code;
}

}  // namespace

extern "C" {

int cuInit(unsigned) {
  TAILRACE_CALL();
  return OK;
}
int cuDriverGetVersion(int* version) {
  TAILRACE_CALL();
  return *version = 13000, OK;
}
int cuDeviceGetCount(int* count) {
  TAILRACE_CALL();
  return *count = 1, OK;
}
int cuDeviceGet(int* device, int ordinal) {
  TAILRACE_CALL();
  return ordinal == 0 ? (*device = 0, OK) : INVALID_DEVICE;
}
int cuDeviceGetName(char* name, int length, int) {
  TAILRACE_CALL();
  std::strncpy(name, "stand-in", static_cast<size_t>(length));
  return OK;
}
/** It shares the host's memory, and says so. */
int cuDeviceGetAttribute(int* value, int attribute, int) {
  TAILRACE_CALL();
  constexpr int PAGEABLE_MEMORY_ACCESS = 88;
  return *value = attribute == PAGEABLE_MEMORY_ACCESS, OK;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  TAILRACE_CALL();
  return contexts++, *context = &the_context, OK;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  TAILRACE_FREEING();
  if (contexts == 0) return INVALID_CONTEXT;
  if (--contexts == 0) legacy.queue.clear();
  return answer;
}
int cuCtxSetCurrent(void* context) {
  TAILRACE_CALL();
  return current = context, OK;
}

int cuMemGetInfo_v2(size_t* free, size_t* total) {
  TAILRACE_CALL();
  return *free = MEMORY - used, *total = MEMORY, OK;
}
int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  TAILRACE_CALL();
  if (current == nullptr) return INVALID_CONTEXT;
  if (bytes == 0) return INVALID_VALUE;
  if (bytes > MEMORY - used) return OUT_OF_MEMORY;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return OUT_OF_MEMORY;
  *address = host(memory);
  std::memset(memory, 0xA5, bytes);
  allocations[*address] = bytes;
  used += bytes;
  return OK;
}
int cuMemFree_v2(uint64_t address) {
  TAILRACE_FREEING();
  auto found = allocations.find(address);
  if (found == allocations.end()) return INVALID_VALUE;
  madvise(reinterpret_cast<void*>(address), found->second, MADV_DONTNEED);
  mprotect(reinterpret_cast<void*>(address), found->second, PROT_NONE);
  used -= found->second;
  freed.insert(*found);
  allocations.erase(found);
  return answer;
}
int cuMemAllocHost_v2(void** pointer, size_t bytes) {
  TAILRACE_CALL();
  *pointer = std::calloc(1, bytes);
  return pinned[host(*pointer)] = bytes, OK;
}
int cuMemFreeHost(void* pointer) {
  TAILRACE_FREEING();
  if (pinned.erase(host(pointer)) == 0) return INVALID_VALUE;
  std::free(pointer);
  return answer;
}

int cuMemcpyHtoD_v2(uint64_t to, const void* from, size_t bytes) {
  TAILRACE_CALL();
  return copy_now(to, true, host(from), false, bytes);
}
int cuMemcpyDtoH_v2(void* to, uint64_t from, size_t bytes) {
  TAILRACE_CALL();
  return copy_now(host(to), false, from, true, bytes);
}
/** Pinned memory is read when the copy runs, other memory now. */
int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void* handle) {
  TAILRACE_CALL();
  Stream* stream = stream_of(handle);
  if (stream == nullptr) return INVALID_HANDLE;
  if (current == nullptr) return INVALID_CONTEXT;
  if (!is_live(to, bytes)) return INVALID_VALUE;
  if (holds(pinned, host(from), bytes)) return stream->push(copying(to, true, host(from), false, bytes));
  if (stream->capturing) return CAPTURE_UNSUPPORTED;
  const uint8_t* first = static_cast<const uint8_t*>(from);
  std::vector<uint8_t> staged(first, first + bytes);
  return stream->push([to, staged] { return copying(to, true, host(staged.data()), false, staged.size())(); });
}
/** Pinned memory is written when the copy runs, other memory before this returns. */
int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void* handle) {
  TAILRACE_CALL();
  Stream* stream = stream_of(handle);
  if (stream == nullptr) return INVALID_HANDLE;
  if (current == nullptr) return INVALID_CONTEXT;
  if (!is_live(from, bytes)) return INVALID_VALUE;
  if (holds(pinned, host(to), bytes)) return stream->push(copying(host(to), false, from, true, bytes));
  if (stream->capturing) return CAPTURE_UNSUPPORTED;
  stream->push(copying(host(to), false, from, true, bytes));
  return drain(*stream);
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void* handle) {
  TAILRACE_CALL();
  Stream* stream = stream_of(handle);
  if (stream == nullptr) return INVALID_HANDLE;
  if (!is_live(to, bytes) || !is_live(from, bytes)) return INVALID_VALUE;
  return stream->push(copying(to, true, from, true, bytes));
}

int cuStreamCreate(void** handle, unsigned) {
  TAILRACE_CALL();
  return *handle = *streams.insert(new Stream).first, OK;
}
int cuStreamDestroy_v2(void* handle) {
  TAILRACE_FREEING();
  Stream* stream = static_cast<Stream*>(handle);
  if (streams.erase(stream) == 0) return INVALID_HANDLE;
  drain(*stream);
  delete stream;
  return answer;
}
/** A wait that fails tells that what was queued has failed: it does not run later, when the host's memory that it names may be gone. */
int cuStreamSynchronize(void* handle) {
  std::lock_guard<std::recursive_mutex> held(lock);
  Stream* stream = stream_of(handle);
  int code = injected();
  if (code == OK) code = sticky;
  if (code != OK) {
    if (stream != nullptr) stream->queue.clear();
    return code;
  }
  waits++;
  if (stream != nullptr && stream->capturing) return CAPTURE_UNSUPPORTED;
  return stream == nullptr ? INVALID_HANDLE : drain(*stream);
}

int cuStreamBeginCapture_v2(void* handle, int) {
  TAILRACE_CALL();
  Stream* stream = stream_of(handle);
  if (stream == nullptr) return INVALID_HANDLE;
  if (stream == &legacy || stream->capturing) return CAPTURE_UNSUPPORTED;
  return stream->capturing = true, OK;
}
int cuStreamEndCapture(void* handle, void** graph) {
  TAILRACE_FREEING();
  Stream* stream = stream_of(handle);
  if (stream == nullptr || !stream->capturing) return INVALID_HANDLE;
  stream->capturing = false;
  Graph* made = answer == OK ? *graphs.insert(new Graph{stream->captured}).first : nullptr;
  stream->captured.clear();
  return *graph = made, answer;
}
int cuGraphInstantiateWithFlags(void** instance, void* graph, unsigned long long) {
  TAILRACE_CALL();
  Graph* made = static_cast<Graph*>(graph);
  if (graphs.count(made) == 0) return INVALID_HANDLE;
  return *instance = *graphs.insert(new Graph{made->work}).first, OK;
}
int cuGraphLaunch(void* instance, void* handle) {
  TAILRACE_CALL();
  Graph* graph = static_cast<Graph*>(instance);
  Stream* stream = stream_of(handle);
  if (graphs.count(graph) == 0 || stream == nullptr) return INVALID_HANDLE;
  for (const Work& work : graph->work) stream->push(work);
  return OK;
}
int cuGraphDestroy(void* graph) {
  TAILRACE_FREEING();
  if (graphs.erase(static_cast<Graph*>(graph)) == 0) return INVALID_HANDLE;
  delete static_cast<Graph*>(graph);
  return answer;
}
int cuGraphExecDestroy(void* instance) { return cuGraphDestroy(instance); }

int cuEventCreate(void** handle, unsigned) {
  TAILRACE_CALL();
  return *handle = *events.insert(new Event).first, OK;
}
int cuEventDestroy_v2(void* handle) {
  TAILRACE_FREEING();
  Event* event = static_cast<Event*>(handle);
  if (events.erase(event) == 0) return INVALID_HANDLE;
  if (event->pending) drain(*event->stream);
  delete event;
  return answer;
}
int cuEventRecord(void* handle, void* on) {
  TAILRACE_CALL();
  Event* event = static_cast<Event*>(handle);
  Stream* stream = stream_of(on);
  if (events.count(event) == 0 || stream == nullptr) return INVALID_HANDLE;
  event->stream = stream;
  event->pending = true;
  event->asked = false;
  stream->push([event] {
    if (events.count(event) == 1) {
      event->pending = false;
      event->at = std::chrono::steady_clock::now();
    }
    return OK;
  });
  return OK;
}
/** The device gets on between the first question and the second. */
int cuEventQuery(void* handle) {
  TAILRACE_CALL();
  Event* event = static_cast<Event*>(handle);
  if (events.count(event) == 0) return INVALID_HANDLE;
  if (!event->pending) return OK;
  if (event->asked) return drain(*event->stream);
  event->asked = true;
  return NOT_READY;
}

int cuEventSynchronize(void* handle) {
  TAILRACE_CALL();
  Event* event = static_cast<Event*>(handle);
  if (events.count(event) == 0) return INVALID_HANDLE;
  return event->pending ? drain(*event->stream) : OK;
}
/** The host's time: it says nothing about a GPU. */
int cuEventElapsedTime(float* millis, void* from, void* to) {
  TAILRACE_CALL();
  auto passed = static_cast<Event*>(to)->at - static_cast<Event*>(from)->at;
  return *millis = std::chrono::duration<float, std::milli>(passed).count(), OK;
}

int cuModuleLoadData(void** module, const void* image) {
  TAILRACE_CALL();
  constexpr uint32_t FATBIN = 0xBA55ED50;
  uint32_t magic;
  std::memcpy(&magic, image, sizeof magic);
  if (magic != FATBIN) return INVALID_IMAGE;
  return *module = std::malloc(1), modules.insert(*module), OK;
}
int cuModuleUnload(void* module) {
  TAILRACE_FREEING();
  if (modules.erase(module) == 0) return INVALID_HANDLE;
  std::free(module);
  return answer;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  TAILRACE_CALL();
  if (modules.count(module) == 0) return INVALID_HANDLE;
  for (Kernel& known : kernels) {
    if (known.name == name) return *function = &known, OK;
  }
  return NOT_FOUND;
}
int cuFuncSetAttribute(void* function, int attribute, int value) {
  TAILRACE_CALL();
  constexpr int MAX_DYNAMIC_SHARED_SIZE_BYTES = 8;
  if (attribute != MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 || static_cast<size_t>(value) > SHARED_MOST) return INVALID_VALUE;
  return static_cast<Kernel*>(function)->shared_most = static_cast<size_t>(value), OK;
}
int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                   unsigned block_z, unsigned shared_bytes, void* handle, void** params, void**) {
  TAILRACE_CALL();
  const Kernel& kernel = *static_cast<Kernel*>(function);
  bool shaped = grid_x > 0 && grid_y > 0 && grid_y <= 65535 && grid_z == 1 && block_x > 0 && block_x <= 1024 && block_y == 1 &&
                block_z == 1 && shared_bytes <= kernel.shared_most;
  Stream* stream = stream_of(handle);
  if (current == nullptr) return INVALID_CONTEXT;
  if (!shaped) return INVALID_VALUE;
  if (stream == nullptr) return INVALID_HANDLE;
  auto run = kernel.bind(params);
  return stream->push([=] { return run(grid_x, grid_y, shared_bytes); });
}

// For the tests, called by Java: io.tailrace.testkit.StandInDriver.

/** The call after so many further ones answers with a code; -1: none. */
void Java_io_tailrace_testkit_StandInDriver_failAfter(void*, void*, int calls, int code) {
  std::lock_guard<std::recursive_mutex> held(lock);
  fail_after = calls;
  fail_code = code;
}

/** Whether the call that is to fail has not come yet. */
uint8_t Java_io_tailrace_testkit_StandInDriver_failsYet(void*, void*) {
  std::lock_guard<std::recursive_mutex> held(lock);
  return fail_after >= 0;
}

/** As in a new process: what stuck to the old one is forgotten. What is not given back is still counted. */
void Java_io_tailrace_testkit_StandInDriver_relaunch(void*, void*) {
  std::lock_guard<std::recursive_mutex> held(lock);
  sticky = OK;
}

/** How often the host has waited for a stream. */
int Java_io_tailrace_testkit_StandInDriver_waits(void*, void*) {
  std::lock_guard<std::recursive_mutex> held(lock);
  return waits;
}

/** How many things of the driver are not given back: allocations, pinned blocks, streams, graphs, events, modules, contexts. */
int Java_io_tailrace_testkit_StandInDriver_held(void*, void*) {
  std::lock_guard<std::recursive_mutex> held(lock);
  return static_cast<int>(allocations.size() + pinned.size() + streams.size() + graphs.size() + events.size() + modules.size()) + contexts;
}

}  // extern "C"
