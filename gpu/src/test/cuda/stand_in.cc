// A driver library for tests without a GPU: the functions that the binding calls, on the host's memory, with our kernels compiled
// for the host. Every launch and copy runs at once, on the caller's thread. It checks what a driver may not: each address argument
// must lie in a live allocation. It shows nothing about warps, the order of memory accesses, or what runs beside what.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#define TAILRACE_HOST
#include "kernels.cu"

namespace {

constexpr int OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_DEVICE = 101, INVALID_IMAGE = 200, INVALID_CONTEXT = 201,
              INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600, ILLEGAL_ADDRESS = 700;
constexpr uint64_t MEMORY = uint64_t{256} << 20;
constexpr size_t SHARED_UNASKED = 48 << 10, SHARED_MOST = 227 << 10;

std::recursive_mutex lock;
std::map<uint64_t, uint64_t> allocations;  // address -> bytes
std::set<void*> pinned, streams, modules;
std::map<void*, int> events;  // event -> queries until it has happened
uint64_t used = 0;
int contexts = 0;
thread_local void* current = nullptr;
int the_context;

bool is_live(uint64_t address, uint64_t bytes) {
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin()) return false;
  --after;
  return address - after->first <= after->second && bytes <= after->second - (address - after->first);
}

struct Function {
  std::string name;
  int (*run)(void**);
  size_t shared_most = SHARED_UNASKED;
};

template <class T>
bool fits(T value) {
  if constexpr (std::is_pointer_v<T>) return is_live(reinterpret_cast<uint64_t>(value), 1);
  return true;
}

template <class... A>
struct Caller {
  template <void (*kernel)(A...), size_t... I>
  static int call(void** params, std::index_sequence<I...>) {
    bool fit = (fits(*static_cast<A*>(params[I])) && ...);
    if (!fit) return ILLEGAL_ADDRESS;
    kernel(*static_cast<A*>(params[I])...);
    return OK;
  }
};

template <auto kernel>
struct Launch;
template <class... A, void (*kernel)(A...)>
struct Launch<kernel> {
  static int run(void** params) { return Caller<A...>::template call<kernel>(params, std::index_sequence_for<A...>{}); }
};

#define KERNEL(name) {#name, &Launch<&name>::run}
std::vector<Function> functions = {
    KERNEL(tailrace_open_lane), KERNEL(tailrace_clear_pool), KERNEL(tailrace_add),      KERNEL(tailrace_prepare),
    KERNEL(tailrace_extend),    KERNEL(tailrace_search),     KERNEL(tailrace_draft_16), KERNEL(tailrace_draft_32),
    KERNEL(tailrace_draft_64),  KERNEL(tailrace_mask),       KERNEL(tailrace_sample),   KERNEL(tailrace_accept)};

int copy(uint64_t to, bool to_device, uint64_t from, bool from_device, size_t bytes) {
  std::lock_guard<std::recursive_mutex> held(lock);
  if (current == nullptr) return INVALID_CONTEXT;
  if ((to_device && !is_live(to, bytes)) || (from_device && !is_live(from, bytes))) return INVALID_VALUE;
  if (bytes > 0) std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
  return OK;
}

uint64_t host(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

bool is_stream(void* stream) { return stream == nullptr || streams.count(stream) == 1; }

}  // namespace

extern "C" {

int cuInit(unsigned) { return OK; }
int cuDriverGetVersion(int* version) { return *version = 13000, OK; }
int cuDeviceGetCount(int* count) { return *count = 1, OK; }
int cuDeviceGet(int* device, int ordinal) { return ordinal == 0 ? (*device = 0, OK) : INVALID_DEVICE; }
int cuDeviceGetName(char* name, int length, int) {
  std::strncpy(name, "stand-in", static_cast<size_t>(length));
  return OK;
}
int cuDevicePrimaryCtxRetain(void** context, int) { return contexts++, *context = &the_context, OK; }
int cuDevicePrimaryCtxRelease_v2(int) { return contexts-- > 0 ? OK : INVALID_CONTEXT; }
int cuCtxSetCurrent(void* context) { return current = context, OK; }

int cuMemGetInfo_v2(size_t* free, size_t* total) { return *free = MEMORY - used, *total = MEMORY, OK; }
int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  std::lock_guard<std::recursive_mutex> held(lock);
  if (current == nullptr) return INVALID_CONTEXT;
  if (bytes == 0) return INVALID_VALUE;
  if (bytes > MEMORY - used) return OUT_OF_MEMORY;
  *address = host(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  std::memset(reinterpret_cast<void*>(*address), 0xA5, bytes);
  allocations[*address] = bytes;
  used += bytes;
  return OK;
}
int cuMemFree_v2(uint64_t address) {
  std::lock_guard<std::recursive_mutex> held(lock);
  auto found = allocations.find(address);
  if (found == allocations.end()) return INVALID_VALUE;
  std::memset(reinterpret_cast<void*>(address), 0x5A, found->second);
  used -= found->second;
  allocations.erase(found);
  std::free(reinterpret_cast<void*>(address));
  return OK;
}
int cuMemAllocHost_v2(void** pointer, size_t bytes) {
  *pointer = std::malloc(bytes);
  return pinned.insert(*pointer), OK;
}
int cuMemFreeHost(void* pointer) { return pinned.erase(pointer) == 1 ? (std::free(pointer), OK) : INVALID_VALUE; }

int cuMemcpyHtoD_v2(uint64_t to, const void* from, size_t bytes) { return copy(to, true, host(from), false, bytes); }
int cuMemcpyDtoH_v2(void* to, uint64_t from, size_t bytes) { return copy(host(to), false, from, true, bytes); }
int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void* stream) {
  return is_stream(stream) ? copy(to, true, host(from), false, bytes) : INVALID_HANDLE;
}
int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void* stream) {
  return is_stream(stream) ? copy(host(to), false, from, true, bytes) : INVALID_HANDLE;
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void* stream) {
  return is_stream(stream) ? copy(to, true, from, true, bytes) : INVALID_HANDLE;
}

int cuStreamCreate(void** stream, unsigned) { return *stream = std::malloc(1), streams.insert(*stream), OK; }
int cuStreamDestroy_v2(void* stream) { return streams.erase(stream) == 1 ? (std::free(stream), OK) : INVALID_HANDLE; }
int cuStreamSynchronize(void* stream) { return is_stream(stream) ? OK : INVALID_HANDLE; }

int cuEventCreate(void** event, unsigned) { return *event = std::malloc(1), events[*event] = 0, OK; }
int cuEventDestroy_v2(void* event) { return events.erase(event) == 1 ? (std::free(event), OK) : INVALID_HANDLE; }
/** An event is seen as pending once, so that callers must live with that. */
int cuEventRecord(void* event, void* stream) {
  if (events.count(event) == 0 || !is_stream(stream)) return INVALID_HANDLE;
  return events[event] = 1, OK;
}
int cuEventQuery(void* event) {
  if (events.count(event) == 0) return INVALID_HANDLE;
  return events[event]-- > 0 ? NOT_READY : (events[event] = 0, OK);
}

int cuModuleLoadData(void** module, const void* image) {
  constexpr uint32_t FATBIN = 0xBA55ED50;
  uint32_t magic;
  std::memcpy(&magic, image, sizeof magic);
  if (magic != FATBIN) return INVALID_IMAGE;
  return *module = std::malloc(1), modules.insert(*module), OK;
}
int cuModuleUnload(void* module) { return modules.erase(module) == 1 ? (std::free(module), OK) : INVALID_HANDLE; }
int cuModuleGetFunction(void** function, void* module, const char* name) {
  if (modules.count(module) == 0) return INVALID_HANDLE;
  for (Function& known : functions) {
    if (known.name == name) return *function = &known, OK;
  }
  return NOT_FOUND;
}
int cuFuncSetAttribute(void* function, int attribute, int value) {
  constexpr int MAX_DYNAMIC_SHARED_SIZE_BYTES = 8;
  if (attribute != MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 || static_cast<size_t>(value) > SHARED_MOST) return INVALID_VALUE;
  return static_cast<Function*>(function)->shared_most = static_cast<size_t>(value), OK;
}
int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                   unsigned block_z, unsigned shared_bytes, void* stream, void** params, void**) {
  std::lock_guard<std::recursive_mutex> held(lock);
  const Function& kernel = *static_cast<Function*>(function);
  bool shaped = grid_x > 0 && grid_y > 0 && grid_y <= 65535 && grid_z == 1 && block_x > 0 && block_x <= 1024 && block_y == 1 &&
                block_z == 1 && shared_bytes <= kernel.shared_most;
  if (current == nullptr) return INVALID_CONTEXT;
  if (!shaped) return INVALID_VALUE;
  if (!is_stream(stream)) return INVALID_HANDLE;
  std::vector<uint64_t> dynamic(shared_bytes / 8 + 1, 0xA5A5A5A5A5A5A5A5);
  int code = OK;
  for (unsigned y = 0; code == OK && y < grid_y; y++) {
    for (unsigned x = 0; code == OK && x < grid_x; x++) {
      tailrace_host::grid = {static_cast<int>(x), static_cast<int>(y), dynamic.data()};
      code = kernel.run(params);
    }
  }
  return code;
}

}  // extern "C"
