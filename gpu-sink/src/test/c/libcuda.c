/*
 * A test double of libcuda.so.1: enough of the CUDA driver API (cuda.h 12.6) for the arenas, strict
 * where the real driver forgives.
 *
 * Asynchronous copies are really deferred: nothing moves before a stream or an event is waited for
 * or asked often enough, so a missing synchronisation reads the wrong bytes. Device memory is mapped
 * without access: the host that touches it dies. Every rule that a caller breaks is written down;
 * double_faults() returns them, one a line. double_fail() makes a function answer an error.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
  OK = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
  INVALID_HANDLE = 400,
  NOT_READY = 600,
  ALREADY_REGISTERED = 712,
  NOT_REGISTERED = 713,
  CONTEXT_IS_DESTROYED = 709,
  NOT_SUPPORTED = 801
};

typedef struct Block {
  enum { DEVICE, HOST, REGISTERED } kind;
  char *address;
  char *shadow; /* where the bytes of device memory really are */
  size_t bytes;
  struct Block *next;
} Block;

typedef struct Event {
  int destroyed;
  long pending; /* records that have not been reached */
  struct Event *next;
} Event;

typedef struct Copy {
  char *to, *from;        /* where the bytes really are */
  char *host, *device;    /* as the caller sees them */
  size_t bytes;
  Event *event; /* instead of a copy */
  struct Copy *next;
} Copy;

typedef struct Stream {
  int destroyed;
  Copy *first, *last;
  struct Stream *next;
} Stream;

typedef struct Context {
  int alive;
  int references;
} Context;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread Context *current;
static Context *primary;
static int initialized;
static Block *blocks;
static Stream *streams;
static Event *events;
static size_t device_total = (size_t)1 << 30;
static char faults[1 << 16];
static char fail_name[64];
static int fail_result, fail_after;

#define API __attribute__((visibility("default")))

static void fault(const char *format, ...) {
  size_t used = strlen(faults);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(faults + used, sizeof faults - used - 2, format, arguments);
  va_end(arguments);
  strcat(faults, "\n");
}

/* the error that the test has asked for */
static int planned(const char *name) {
  if (fail_result != 0 && strcmp(name, fail_name) == 0 && fail_after-- <= 0) {
    return fail_result;
  }
  return OK;
}

static int enter(const char *name) {
  int result = planned(name);
  if (result != OK) return result;
  if (!initialized) return NOT_INITIALIZED;
  if (current == NULL) return INVALID_CONTEXT;
  if (!current->alive) {
    fault("%s: use of a destroyed context", name);
    return CONTEXT_IS_DESTROYED;
  }
  return OK;
}

/* every public function of more than a line is a locked call of this shape */
#define LOCKED(name, parameters, body)         \
  API int name parameters {                    \
    pthread_mutex_lock(&lock);                 \
    const char *self = #name;                  \
    int result = enter(self);                  \
    if (result == OK) body;                    \
    pthread_mutex_unlock(&lock);               \
    return result;                             \
  }

static Block *find(const void *address, size_t bytes) {
  for (Block *block = blocks; block != NULL; block = block->next) {
    const char *at = address;
    if (at >= block->address && at < block->address + block->bytes
        && bytes <= (size_t)(block->address + block->bytes - at)) {
      return block;
    }
  }
  return NULL;
}

static void add_block(int kind, void *address, void *shadow, size_t bytes) {
  Block *block = calloc(1, sizeof *block);
  block->kind = kind;
  block->address = address;
  block->shadow = shadow;
  block->bytes = bytes;
  block->next = blocks;
  blocks = block;
}

static int in_use(Block *block) {
  for (Stream *stream = streams; stream != NULL; stream = stream->next) {
    for (Copy *copy = stream->first; copy != NULL; copy = copy->next) {
      if (copy->event != NULL) continue;
      char *at = block->kind == DEVICE ? copy->device : copy->host;
      if (at >= block->address && at < block->address + block->bytes) return 1;
    }
  }
  return 0;
}

static int remove_block(const char *self, unsigned kind, void *address) {
  for (Block **link = &blocks; *link != NULL; link = &(*link)->next) {
    Block *block = *link;
    if (block->address != address || block->kind != kind) continue;
    if (in_use(block)) fault("%s: memory freed while a copy is pending", self);
    *link = block->next;
    if (kind == DEVICE) {
      munmap(block->address, block->bytes);
      /* a pending copy still goes there: better a fault in words than a crash */
    } else if (kind == HOST && !in_use(block)) {
      free(block->address);
    }
    free(block);
    return OK;
  }
  fault("%s: double free, or memory that was never allocated", self);
  return kind == REGISTERED ? NOT_REGISTERED : INVALID_VALUE;
}

/* does the oldest thing that a stream has to do */
static void step(Stream *stream) {
  Copy *copy = stream->first;
  stream->first = copy->next;
  if (stream->first == NULL) stream->last = NULL;
  if (copy->event != NULL) {
    copy->event->pending--;
  } else {
    memcpy(copy->to, copy->from, copy->bytes);
  }
  free(copy);
}

static void push(Stream *stream, Copy *copy) {
  if (stream->last == NULL) {
    stream->first = copy;
  } else {
    stream->last->next = copy;
  }
  stream->last = copy;
}

static Stream *stream_of(const char *self, void *handle) {
  for (Stream *stream = streams; stream != NULL; stream = stream->next) {
    if (stream == handle && !stream->destroyed) return stream;
  }
  fault("%s: use of a stream that is none or was destroyed", self);
  return NULL;
}

static Event *event_of(const char *self, void *handle) {
  for (Event *event = events; event != NULL; event = event->next) {
    if (event == handle && !event->destroyed) return event;
  }
  fault("%s: use of an event that is none or was destroyed", self);
  return NULL;
}

static Stream *stream_before(Event *event) {
  for (Stream *stream = streams; stream != NULL; stream = stream->next) {
    for (Copy *copy = stream->first; copy != NULL; copy = copy->next) {
      if (copy->event == event) return stream;
    }
  }
  return NULL;
}

static int copy_async(const char *self, uintptr_t device, void *host, size_t bytes, void *handle, int in) {
  Stream *stream = stream_of(self, handle);
  if (stream == NULL) return INVALID_HANDLE;
  Block *there = find((void *)device, bytes);
  if (there == NULL || there->kind != DEVICE) {
    fault("%s: the device has no such memory", self);
    return INVALID_VALUE;
  }
  Block *here = find(host, bytes);
  if (here == NULL || here->kind == DEVICE) {
    fault("%s: asynchronous copy with unpinned memory", self);
    return INVALID_VALUE;
  }
  Copy *copy = calloc(1, sizeof *copy);
  char *real = there->shadow + ((char *)device - there->address);
  copy->device = (char *)device;
  copy->host = host;
  copy->to = in ? real : host;
  copy->from = in ? host : real;
  copy->bytes = bytes;
  push(stream, copy);
  return OK;
}

API int cuInit(unsigned flags) {
  int result = planned("cuInit");
  if (result == OK) initialized = 1;
  return flags == 0 ? result : INVALID_VALUE;
}

API int cuDeviceGetCount(int *count) {
  *count = 1;
  return initialized ? planned("cuDeviceGetCount") : NOT_INITIALIZED;
}

API int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? OK : INVALID_DEVICE;
}

API int cuDeviceGetName(char *name, int length, int device) {
  snprintf(name, length, "Test double");
  return device == 0 ? OK : INVALID_DEVICE;
}

API int cuDevicePrimaryCtxRetain(Context **context, int device) {
  pthread_mutex_lock(&lock);
  int result = planned("cuDevicePrimaryCtxRetain");
  if (result == OK && device == 0) {
    /* a context is never reused, so that a stale one is known as such */
    if (primary == NULL) {
      primary = calloc(1, sizeof *primary);
      primary->alive = 1;
    }
    primary->references++;
    *context = primary;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

API int cuDevicePrimaryCtxRelease_v2(int device) {
  pthread_mutex_lock(&lock);
  int result = planned("cuDevicePrimaryCtxRelease");
  if (primary == NULL || device != 0) {
    fault("cuDevicePrimaryCtxRelease: released more often than retained");
    result = INVALID_CONTEXT;
  } else if (--primary->references == 0) {
    primary->alive = 0;
    primary = NULL;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

API int cuDevicePrimaryCtxReset_v2(int device) {
  pthread_mutex_lock(&lock);
  if (primary != NULL) {
    primary->alive = 0;
    primary = NULL;
  }
  pthread_mutex_unlock(&lock);
  return device == 0 ? OK : INVALID_DEVICE;
}

API int cuCtxGetCurrent(Context **context) {
  *context = current;
  return initialized ? planned("cuCtxGetCurrent") : NOT_INITIALIZED;
}

API int cuCtxSetCurrent(Context *context) {
  if (context != NULL && !context->alive) {
    pthread_mutex_lock(&lock);
    fault("cuCtxSetCurrent: use of a destroyed context");
    pthread_mutex_unlock(&lock);
    return CONTEXT_IS_DESTROYED;
  }
  current = context;
  return planned("cuCtxSetCurrent");
}

LOCKED(cuMemAlloc_v2, (uintptr_t *device, size_t bytes), {
  size_t used = 0;
  for (Block *block = blocks; block != NULL; block = block->next) {
    if (block->kind == DEVICE) used += block->bytes;
  }
  if (bytes == 0) {
    result = INVALID_VALUE;
  } else if (bytes > device_total - used) {
    result = OUT_OF_MEMORY;
  } else {
    void *address = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    add_block(DEVICE, address, calloc(1, bytes), bytes);
    *device = (uintptr_t)address;
  }
})

LOCKED(cuMemFree_v2, (uintptr_t device), { result = remove_block(self, DEVICE, (void *)device); })

LOCKED(cuMemHostAlloc, (void **address, size_t bytes, unsigned flags), {
  (void)flags;
  *address = bytes < device_total ? aligned_alloc(4096, (bytes + 4095) / 4096 * 4096) : NULL;
  if (*address == NULL) {
    result = OUT_OF_MEMORY;
  } else {
    add_block(HOST, *address, NULL, bytes);
  }
})

LOCKED(cuMemFreeHost, (void *address), { result = remove_block(self, HOST, address); })

LOCKED(cuMemHostRegister_v2, (void *address, size_t bytes, unsigned flags), {
  (void)flags;
  if (find(address, 1) != NULL) {
    result = ALREADY_REGISTERED;
  } else {
    add_block(REGISTERED, address, NULL, bytes);
  }
})

LOCKED(cuMemHostUnregister, (void *address), { result = remove_block(self, REGISTERED, address); })

LOCKED(cuMemcpyHtoDAsync_v2, (uintptr_t to, void *from, size_t bytes, void *stream), {
  result = copy_async(self, to, from, bytes, stream, 1);
})

LOCKED(cuMemcpyDtoHAsync_v2, (void *to, uintptr_t from, size_t bytes, void *stream), {
  result = copy_async(self, from, to, bytes, stream, 0);
})

LOCKED(cuStreamCreate, (void **handle, unsigned flags), {
  (void)flags;
  Stream *stream = calloc(1, sizeof *stream);
  stream->next = streams;
  streams = stream;
  *handle = stream;
})

LOCKED(cuStreamSynchronize, (void *handle), {
  Stream *stream = stream_of(self, handle);
  if (stream == NULL) result = INVALID_HANDLE;
  while (stream != NULL && stream->first != NULL) step(stream);
})

LOCKED(cuStreamDestroy_v2, (void *handle), {
  Stream *stream = stream_of(self, handle);
  if (stream == NULL) {
    result = INVALID_HANDLE;
  } else {
    stream->destroyed = 1;
  }
})

LOCKED(cuEventCreate, (void **handle, unsigned flags), {
  (void)flags;
  Event *event = calloc(1, sizeof *event);
  event->next = events;
  events = event;
  *handle = event;
})

LOCKED(cuEventRecord, (void *handle, void *where), {
  Event *event = event_of(self, handle);
  Stream *stream = stream_of(self, where);
  if (event == NULL || stream == NULL) {
    result = INVALID_HANDLE;
  } else {
    Copy *mark = calloc(1, sizeof *mark);
    mark->event = event;
    event->pending++;
    push(stream, mark);
  }
})

/* each question moves the stream by one step, so that whoever polls gets there */
LOCKED(cuEventQuery, (void *handle), {
  Event *event = event_of(self, handle);
  if (event == NULL) {
    result = INVALID_HANDLE;
  } else if (event->pending > 0) {
    step(stream_before(event));
    result = event->pending > 0 ? NOT_READY : OK;
  }
})

LOCKED(cuEventSynchronize, (void *handle), {
  Event *event = event_of(self, handle);
  if (event == NULL) result = INVALID_HANDLE;
  while (event != NULL && event->pending > 0) step(stream_before(event));
})

LOCKED(cuEventDestroy_v2, (void *handle), {
  Event *event = event_of(self, handle);
  if (event == NULL) {
    result = INVALID_HANDLE;
  } else {
    event->destroyed = 1;
  }
})

/* for the tests: what was done wrong until now, leaks included, and a fresh start */
API const char *double_faults(void) {
  static char report[sizeof faults];
  pthread_mutex_lock(&lock);
  for (Block *block = blocks; block != NULL; block = block->next) {
    fault("leak: %zu bytes of %s memory", block->bytes,
          block->kind == DEVICE ? "device" : block->kind == HOST ? "host" : "registered");
  }
  for (Stream *stream = streams; stream != NULL; stream = stream->next) {
    if (!stream->destroyed) fault("leak: a stream");
  }
  for (Event *event = events; event != NULL; event = event->next) {
    if (!event->destroyed) fault("leak: an event");
  }
  if (primary != NULL) fault("leak: %d references to the primary context", primary->references);
  strcpy(report, faults);
  faults[0] = 0;
  fail_result = 0;
  blocks = NULL;
  streams = NULL;
  events = NULL;
  if (primary != NULL) primary->alive = 0;
  primary = NULL;
  pthread_mutex_unlock(&lock);
  return report;
}

/* lets the function answer result from its call number after (0: the next) on; 0 ends that */
API void double_fail(const char *name, int result, int after) {
  pthread_mutex_lock(&lock);
  snprintf(fail_name, sizeof fail_name, "%s", name);
  fail_result = result;
  fail_after = after;
  pthread_mutex_unlock(&lock);
}

/* everything else that JCuda's library binds: it dies when a symbol is missing */
#define STUB(name) \
  API int name(void) { return NOT_SUPPORTED; }
#include "libcuda_stubs.h"
