/*
 * A consumer of what penstock exports, with the structures as the specifications declare them:
 * dlpack.h 1.0 and Arrow's abi.h. It reads every element where it lies, reports what it was told,
 * and releases.
 */
#include <stdint.h>

typedef struct { int32_t device_type; int32_t device_id; } DLDevice;
typedef struct { uint8_t code; uint8_t bits; uint16_t lanes; } DLDataType;
typedef struct {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;
typedef struct { uint32_t major; uint32_t minor; } DLPackVersion;
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *self);
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};
struct ArrowDeviceArray {
  struct ArrowArray array;
  int64_t device_id;
  int32_t device_type;
  void *sync_event;
  int64_t reserved[3];
};

/* what the consumer has seen, as words */
enum { DATA, DEVICE_TYPE, DEVICE_ID, NDIM, CODE, BITS, LANES, SHAPE, STRIDES = SHAPE + 4, FLAGS = STRIDES + 4,
       MAJOR, SUM, EVENT, LENGTH, ELEMENTS, SIZE, WORDS };

static int64_t sum(const float *data, int64_t count) {
  int64_t total = 0;
  for (int64_t i = 0; i < count; i++) total += (int64_t)data[i];
  return total;
}

static void tensor(const DLTensor *tensor, int64_t *seen) {
  int64_t count = 1;
  seen[DATA] = (int64_t)tensor->data + (int64_t)tensor->byte_offset;
  seen[DEVICE_TYPE] = tensor->device.device_type;
  seen[DEVICE_ID] = tensor->device.device_id;
  seen[NDIM] = tensor->ndim;
  seen[CODE] = tensor->dtype.code;
  seen[BITS] = tensor->dtype.bits;
  seen[LANES] = tensor->dtype.lanes;
  for (int i = 0; i < tensor->ndim; i++) {
    seen[SHAPE + i] = tensor->shape[i];
    seen[STRIDES + i] = tensor->strides[i];
    count *= tensor->shape[i];
  }
  if (tensor->device.device_type == 1) seen[SUM] = sum((float *)seen[DATA], count);
}

void consume_legacy(DLManagedTensor *managed, int64_t *seen) {
  tensor(&managed->dl_tensor, seen);
  managed->deleter(managed);
}

void consume_versioned(DLManagedTensorVersioned *managed, int64_t *seen) {
  tensor(&managed->dl_tensor, seen);
  seen[FLAGS] = (int64_t)managed->flags;
  seen[MAJOR] = managed->version.major;
  managed->deleter(managed);
}

/* reads a list of floats; returns 0, or the number of what is wrong with it */
static int list(struct ArrowArray *array, int32_t device_type, int64_t *seen) {
  if (array->null_count != 0 || array->offset != 0 || array->dictionary != 0) return 1;
  if (array->n_buffers != 1 || array->n_children != 1 || array->buffers[0] != 0) return 2;
  struct ArrowArray *elements = array->children[0];
  if (elements->null_count != 0 || elements->offset != 0 || elements->n_children != 0) return 3;
  if (elements->n_buffers != 2 || elements->buffers[0] != 0) return 4;
  seen[DATA] = (int64_t)elements->buffers[1];
  seen[LENGTH] = array->length;
  seen[ELEMENTS] = elements->length;
  if (device_type == 1) seen[SUM] = sum(elements->buffers[1], elements->length);
  return 0;
}

int consume_array(struct ArrowArray *array, int64_t *seen) {
  int wrong = list(array, 1, seen);
  array->release(array);
  return wrong != 0 ? wrong : array->release != 0 ? 5 : 0;
}

int consume_device_array(struct ArrowDeviceArray *device, int64_t *seen) {
  int wrong = list(&device->array, device->device_type, seen);
  seen[DEVICE_TYPE] = device->device_type;
  seen[DEVICE_ID] = device->device_id;
  seen[EVENT] = (int64_t)device->sync_event;
  seen[SIZE] = sizeof *device;
  for (int i = 0; i < 3; i++) {
    if (device->reserved[i] != 0) wrong = 6;
  }
  device->array.release(&device->array);
  return wrong != 0 ? wrong : device->array.release != 0 ? 5 : 0;
}

/* takes the elements out, as a consumer may, and releases the list without them */
int move_child(struct ArrowArray *array, struct ArrowArray *child) {
  *child = *array->children[0];
  array->children[0]->release = 0;
  array->release(array);
  return array->release != 0;
}

int64_t consume_child(struct ArrowArray *child) {
  int64_t total = sum(child->buffers[1], child->length);
  child->release(child);
  return total;
}
