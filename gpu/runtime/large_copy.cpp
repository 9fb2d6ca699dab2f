#include "gpu/runtime/large_copy.h"

#include "core/base/parallel/parallel_for.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/devices.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <vector>

namespace sulcus::gpu {
namespace {

constexpr std::size_t kPiece = std::size_t(1) << 20;  // pinning more takes longer than it saves
constexpr int kThreads = 4;

using Piece = PinnedBuffer<char>;

/// Pieces of pinned memory not held by a copy, kept for reuse: pinning one takes longer than filling it.
class IdlePieces {
 public:
  Piece take() {
    const std::scoped_lock lock(mutex_);
    if (pieces_.empty()) return Piece(kPiece);
    Piece piece = std::move(pieces_.back());
    pieces_.pop_back();
    return piece;
  }
  void give(Piece piece) {
    const std::scoped_lock lock(mutex_);
    pieces_.push_back(std::move(piece));
  }

 private:
  std::mutex mutex_;  // guards the members below
  std::vector<Piece> pieces_;
};

/// Never destroyed, since the driver may be gone when the program ends.
IdlePieces& idle() {
  static IdlePieces* const pieces = new IdlePieces;
  return *pieces;
}

}  // namespace

void copyLarge(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const Stream& stream) {
  const bool up = kind == cudaMemcpyHostToDevice;
  int device = 0;
  SULCUS_CUDA(cudaGetDevice(&device));
  std::atomic<std::size_t> next = 0;
  parallelFor(kThreads, 1, {}, [&](std::int64_t) {
    const OnDevice here(device);
    Piece piece = idle().take();
    const Event passed;
    for (std::size_t at; (at = next.fetch_add(kPiece)) < bytes;) {
      const std::size_t size = std::min(kPiece, bytes - at);
      char* const there = static_cast<char*>(to) + at;
      const char* const here = static_cast<const char*>(from) + at;
      if (up) std::memcpy(piece.data(), here, size);
      void* const target = up ? there : piece.data();
      const void* const source = up ? piece.data() : here;
      SULCUS_CUDA(cudaMemcpyAsync(target, source, size, kind, stream.get()));
      passed.record(stream);
      passed.synchronize();
      if (!up) std::memcpy(there, piece.data(), size);
    }
    idle().give(std::move(piece));
  });
}

}  // namespace sulcus::gpu
