#pragma once

#include "gpu/runtime/check.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/large_copy.h"
#include "gpu/runtime/stream.h"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace sulcus::gpu {

/// `count` uninitialized values of type T in device memory. Owns them; move-only.
///
/// Allocation and release are ordered in a stream, which must outlive the buffer; work on other streams has
/// to be synchronized with it. Throws Error (unavailable) with the bytes needed and free if device memory
/// does not suffice.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory is copied byte by byte");

 public:
  Buffer() = default;
  Buffer(std::int64_t count, const Stream& stream, const std::string& what = "this run")
      : count_(count), stream_(stream.get()) {
    if (count <= 0) return;
    if (count > std::numeric_limits<std::int64_t>::max() / std::int64_t(sizeof(T)))
      requireMemory(std::numeric_limits<std::int64_t>::max(), what);
    requireMemory(bytes(), what);
    SULCUS_CUDA(cudaMallocAsync(reinterpret_cast<void**>(&data_), std::size_t(bytes()), stream_));
  }
  ~Buffer() {
    if (data_) cudaFreeAsync(data_, stream_);
  }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        count_(std::exchange(other.count_, 0)),
        stream_(other.stream_) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    std::swap(stream_, other.stream_);
    return *this;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::int64_t size() const { return count_; }
  std::int64_t bytes() const { return count_ * std::int64_t(sizeof(T)); }

  /// Queues a copy of `values` to the front of this buffer. Copies from pinned memory are asynchronous, those
  /// from other memory only seem to be; either way `values` must live until the stream has completed them. A
  /// large copy is complete on return.
  void upload(std::span<const T> values, const Stream& stream) {
    if (values.size_bytes() >= kLargeCopy)
      return copyLarge(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice, stream);
    SULCUS_CUDA(
        cudaMemcpyAsync(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice, stream.get()));
  }
  /// Queues a copy of the front of this buffer to `values`, which may be read after synchronizing the stream.
  void download(std::span<T> values, const Stream& stream) const {
    if (values.size_bytes() >= kLargeCopy)
      return copyLarge(values.data(), data_, values.size_bytes(), cudaMemcpyDeviceToHost, stream);
    SULCUS_CUDA(
        cudaMemcpyAsync(values.data(), data_, values.size_bytes(), cudaMemcpyDeviceToHost, stream.get()));
  }
  /// Queues setting all bytes to `byte`.
  void fillBytes(int byte, const Stream& stream) {
    if (data_) SULCUS_CUDA(cudaMemsetAsync(data_, byte, std::size_t(bytes()), stream.get()));
  }

 private:
  T* data_ = nullptr;
  std::int64_t count_ = 0;
  cudaStream_t stream_ = nullptr;
};

/// Uploads `values` to a new buffer.
template <class T>
Buffer<T> uploaded(std::span<const T> values, const Stream& stream, const std::string& what = "this run") {
  Buffer<T> buffer(std::int64_t(values.size()), stream, what);
  buffer.upload(values, stream);
  return buffer;
}

/// Page-locked host memory, five times as fast to copy from and to as ordinary memory. Not initialized;
/// move-only.
template <class T>
class PinnedBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "pinned memory is copied byte by byte");

 public:
  PinnedBuffer() = default;
  explicit PinnedBuffer(std::int64_t count) : count_(count) {
    if (count > 0)
      SULCUS_CUDA(cudaMallocHost(reinterpret_cast<void**>(&data_), std::size_t(count) * sizeof(T)));
  }
  ~PinnedBuffer() {
    if (data_) cudaFreeHost(data_);
  }
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::int64_t size() const { return count_; }
  std::span<T> first(std::int64_t count) { return {data_, std::size_t(count)}; }

 private:
  T* data_ = nullptr;
  std::int64_t count_ = 0;
};

}  // namespace sulcus::gpu
