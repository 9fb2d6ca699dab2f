#include "core/base/parallel/parallel_for.h"
#include "core/tracts/tract_plan.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device_time.h"
#include "gpu/runtime/devices.h"
#include "gpu/tracts/line_weights.h"
#include "gpu/tracts/tracts.h"
#include "gpu/tracts/warp_draw.cuh"

#include <algorithm>
#include <memory>

namespace sulcus::gpu::tracts {
inline namespace tract_kernels {

constexpr int kThreads = 128;
constexpr int kBlocksOfMultiprocessor = 8;
constexpr int kPackThreads = 128;

/// The seeds of a launch: their positions, room for the points of each, and their outcomes.
struct SeedJob {
  const Vec3<float>* places;
  std::int64_t first;  ///< number of the first seed
  int count, room;     ///< points of the longest line
  int* next;           ///< the first seed that no lane has taken
  Vec3<float>* points;
  LineRecord* records;
};

/// One lane for each line; a lane that has finished takes the next seed.
template <class Method>
__global__ void __launch_bounds__(kThreads) followByLanes(const WalkView walk, const SeedJob job) {
  LineWalk<Method> line;
  int own = -1;
  Vec3<float>* points = nullptr;
  while (true) {
    if (own < 0) {
      own = atomicAdd(job.next, 1);
      if (own >= job.count) return;
      points = job.points + std::int64_t(own) * job.room;
      if (line.begin(walk, std::uint64_t(job.first + own), job.places[own], points)) continue;
    } else if (line.advance(walk, points)) {
      continue;
    }
    job.records[own] = line.record;
    own = -1;
  }
}

/// One warp for each line; a block is one warp.
template <class Method>
__global__ void __launch_bounds__(kWarpSize) followByWarps(const WalkView walk, const SeedJob job) {
  const int own = int(blockIdx.x);
  Vec3<float>* const points = job.points + std::int64_t(own) * job.room;
  LineWalk<Method> line;
  if (line.begin(walk, std::uint64_t(job.first + own), job.places[own], points))
    while (line.advance(walk, points)) {
    }
  job.records[own] = line.record;
}

/// Copies the points of a line to their position among those that are kept, from end to end; one block for
/// each line.
__global__ void packLines(const SeedJob job, const std::int64_t* to, Vec3<float>* packed) {
  const int own = int(blockIdx.x);
  const LineRecord record = job.records[own];
  if (record.verdict != Verdict::kept) return;
  const Vec3<float>* const from = job.points + std::int64_t(own) * job.room;
  const int second = record.points - 1 - record.forward;  // points of the second half
  for (int n = int(threadIdx.x); n < record.points; n += kPackThreads)
    packed[to[own] + n] = from[n < second ? record.points - 1 - n : n - second];
}

template <class Method>
struct IsByWarp : std::false_type {};
template <int Order>
struct IsByWarp<Probable<Order, DrawByWarp>> : std::true_type {};
template <int Order>
struct IsByWarp<Transported<Order, DrawByWarp>> : std::true_type {};

void launch(const TractPlan& plan, const WalkView& walk, const SeedJob& job, const Stream& stream) {
  withWay<DrawByWarp>(plan, [&](auto way) {
    using Method = decltype(way);
    if constexpr (IsByWarp<Method>::value) {
      followByWarps<Method><<<unsigned(job.count), kWarpSize, 0, stream.get()>>>(walk, job);
    } else {
      int device = 0, multiprocessors = 0;
      SULCUS_CUDA(cudaGetDevice(&device));
      SULCUS_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
      const unsigned blocks =
          std::min(blocksFor(job.count, kThreads), unsigned(multiprocessors * kBlocksOfMultiprocessor));
      followByLanes<Method><<<blocks, kThreads, 0, stream.get()>>>(walk, job);
    }
  });
  SULCUS_CUDA_LAUNCHED("tracts");
}

}  // namespace tract_kernels

inline namespace tract_driver {

constexpr const char* kWhat = "tracts";
constexpr std::int64_t kMostSeeds = 1 << 17, kFewestSeeds = 1 << 10;
constexpr std::int64_t kSeedsOfStep = 1 << 13;                  // at most, for a preview from few seeds
constexpr std::int64_t kBytesOfPoints = std::int64_t(1) << 30;  // of one batch
constexpr std::int64_t kPointsOfPiece = std::int64_t(1) << 21;  // that are downloaded together

/// A plan in device memory.
struct DevicePlan {
  Buffer<std::int32_t> rowOf;
  Buffer<float> rows;
  Buffer<std::uint32_t> ruleBits;
  Buffer<RegionView> regions;
  Buffer<float> tissues;
  WalkView view;

  DevicePlan(const TractPlan& plan, const Stream& stream)
      : rowOf(uploaded<std::int32_t>(plan.rowOf, stream, kWhat)),
        rows(uploaded<float>(plan.rows, stream, kWhat)),
        ruleBits(uploaded<std::uint32_t>(plan.ruleBits, stream, kWhat)),
        regions(uploaded<RegionView>(plan.regions, stream, kWhat)),
        tissues(uploaded<float>(plan.tissues, stream, kWhat)),
        view(plan.view()) {
    view.field.rowOf = rowOf.data();
    view.field.rows = rows.data();
    view.rules.bits = ruleBits.data();
    view.rules.regions = regions.data();
    if (view.tissues.shares) view.tissues.shares = tissues.data();
  }
};

/// Pinned memory through which points reach the host: one piece is downloaded while the other is taken.
class PointPieces {
 public:
  explicit PointPieces(std::int64_t mostOfLine)
      : pieces_{PinnedBuffer<Vec3<float>>(std::max(kPointsOfPiece, mostOfLine)),
                PinnedBuffer<Vec3<float>>(std::max(kPointsOfPiece, mostOfLine))} {}

  std::int64_t room() const { return pieces_[0].size(); }
  void download(int which, const Vec3<float>* points, std::int64_t count, const Stream& stream) {
    SULCUS_CUDA(cudaMemcpyAsync(pieces_[which].data(), points, std::size_t(count) * sizeof(Vec3<float>),
                                cudaMemcpyDeviceToHost, stream.get()));
    done_[which].record(stream);
  }
  std::span<const Vec3<float>> awaited(int which, std::int64_t count) {
    const WaitTimer waiting(WaitKind::work);  // the lines are packed before they are copied
    done_[which].synchronize();
    return pieces_[which].first(count);
  }

 private:
  PinnedBuffer<Vec3<float>> pieces_[2];
  Event done_[2];
};

/// One batch of seeds in progress: begin() queues the work, finish() waits for it.
class BatchOnDevice {
 public:
  BatchOnDevice(const TractPlan& plan, const DevicePlan& onDevice, std::int64_t most)
      : plan_(plan),
        onDevice_(onDevice),
        room_(plan.most + 1),
        hostPlaces_(most),
        hostRecords_(most),
        hostTo_(most + 1),
        places_(most, stream_, kWhat),
        next_(1, stream_),
        points_(most * room_, stream_, kWhat),
        records_(most, stream_),
        to_(most, stream_) {}

  void begin(const Seeds& seeds, std::int64_t first, std::int64_t count) {
    count_ = count;
    parallelFor(count, 4096, {}, [&](std::int64_t i) { hostPlaces_.data()[i] = seeds.place(first + i); });
    places_.upload(hostPlaces_.first(count), stream_);
    next_.fillBytes(0, stream_);
    job_ = {places_.data(), first, int(count), room_, next_.data(), points_.data(), records_.data()};
    launch(plan_, onDevice_.view, job_, stream_);
    records_.download(hostRecords_.first(count), stream_);
  }

  /// Hands over the results in one batch after another, until `take` returns false; returns what it returned.
  bool finish(PointPieces& pieces, const TakeBatch& take) {
    const TimedQueue<Stream> awaited{stream_};
    awaited.synchronize();
    const LineRecord* const records = hostRecords_.data();
    std::int64_t* const to = hostTo_.data();
    to[0] = 0;
    for (std::int64_t i = 0; i < count_; ++i)
      to[i + 1] = to[i] + (records[i].verdict == Verdict::kept ? records[i].points : 0);
    if (const std::int64_t points = to[count_]; points > 0) {
      to_.upload(hostTo_.first(count_), stream_);
      if (packed_.size() < points) packed_ = Buffer<Vec3<float>>(points + points / 8, stream_, kWhat);
      packLines<<<unsigned(count_), kPackThreads, 0, stream_.get()>>>(job_, to_.data(), packed_.data());
      SULCUS_CUDA_LAUNCHED("packLines");
    }
    const auto endOfPiece = [&](std::int64_t begin) {
      std::int64_t end = begin;
      while (end < count_ && to[end + 1] - to[begin] <= pieces.room()) ++end;
      return end;
    };
    const auto download = [&](int which, std::int64_t begin, std::int64_t end) {
      if (begin < end) pieces.download(which, packed_.data() + to[begin], to[end] - to[begin], stream_);
    };
    std::int64_t begin = 0, end = endOfPiece(0);
    download(0, begin, end);
    for (int which = 0; begin < end; which = 1 - which) {
      const std::int64_t next = endOfPiece(end);
      download(1 - which, end, next);
      const LineBatchView batch{{records + begin, std::size_t(end - begin)},
                                pieces.awaited(which, to[end] - to[begin])};
      if (!take(batch)) {
        awaited.synchronize();
        return false;
      }
      begin = end;
      end = next;
    }
    return true;
  }

 private:
  const TractPlan& plan_;
  const DevicePlan& onDevice_;
  const int room_;
  Stream stream_;
  PinnedBuffer<Vec3<float>> hostPlaces_;
  PinnedBuffer<LineRecord> hostRecords_;
  PinnedBuffer<std::int64_t> hostTo_;
  Buffer<Vec3<float>> places_;
  Buffer<int> next_;
  Buffer<Vec3<float>> points_;
  Buffer<LineRecord> records_;
  Buffer<std::int64_t> to_;
  Buffer<Vec3<float>> packed_;
  SeedJob job_{};
  std::int64_t count_ = 0;
};

/// A device with its plan and two batches: one is computed while the other is fetched.
struct DeviceShare {
  int device;
  Stream stream;
  std::unique_ptr<DevicePlan> plan;
  std::unique_ptr<PointPieces> pieces;
  std::unique_ptr<BatchOnDevice> batches[2];
};

std::int64_t seedsThatFit(const TractPlan& plan, std::int64_t batches) {
  const std::int64_t perSeed = std::int64_t(plan.most + 1) * std::int64_t(sizeof(Vec3<float>));
  const std::int64_t bytes = std::min(kBytesOfPoints, freeMemory() / (4 * batches));
  return std::clamp(bytes / perSeed, kFewestSeeds, kMostSeeds);
}

}  // namespace tract_driver

void followSeedsInBatches(const TractPlan& plan, const TakeBatch& take, const Progress& progress,
                          std::int64_t most) {
  requireDevice();
  const std::vector<int> devices = chosenDevices();
  most = std::min(plan.seeds.count,
                  most > 0 ? most : seedsOfBatch(plan, seedsThatFit(plan, 2 * std::int64_t(devices.size()))));
  std::vector<std::unique_ptr<DeviceShare>> shares;
  std::int64_t next = 0;
  struct Flight {
    DeviceShare* share;
    BatchOnDevice* batch;
  };
  std::vector<Flight> flights;  // in the order of their seeds, in a ring
  const auto begin = [&](const Flight& flight) {
    const OnDevice on(flight.share->device);
    const std::int64_t count = std::min(most, plan.seeds.count - next);
    flight.batch->begin(plan.seeds, next, count);
    next += count;
  };
  for (const int device : devices) {
    const OnDevice on(device);
    auto& share = *shares.emplace_back(new DeviceShare{device, {}, {}, {}, {}});
    share.plan = std::make_unique<DevicePlan>(plan, share.stream);
    share.stream.synchronize();
    share.pieces = std::make_unique<PointPieces>(plan.most + 1);
    for (auto& batch : share.batches) batch = std::make_unique<BatchOnDevice>(plan, *share.plan, most);
  }
  for (int n = 0; n < 2; ++n)
    for (const auto& share : shares)
      if (next < plan.seeds.count) begin(flights.emplace_back(Flight{share.get(), share->batches[n].get()}));
  std::int64_t done = 0;
  const auto counted = [&](const LineBatchView& batch) {
    done += std::int64_t(batch.records.size());
    const bool on = take(batch);
    if (on) progress.update(double(done) / double(plan.seeds.count));
    return on;
  };
  for (std::size_t turn = 0; done < plan.seeds.count; turn = (turn + 1) % flights.size()) {
    const Flight& flight = flights[turn];
    {
      const OnDevice on(flight.share->device);
      if (!flight.batch->finish(*flight.share->pieces, counted)) return;
    }
    if (next < plan.seeds.count) begin(flight);
  }
}

void followSeeds(const TractPlan& plan, const TakeBatch& take, const Progress& progress) {
  followSeedsInBatches(plan, take, progress, 0);
}

HeldPlan holdPlan(const std::shared_ptr<const TractPlan>& plan) {
  requireDevice();
  const int device = chosenDevices().front();
  struct Held {
    std::shared_ptr<const TractPlan> plan;
    DeviceShare share;
  };
  const OnDevice on(device);
  const std::int64_t most = std::min(kSeedsOfStep, seedsThatFit(*plan, 1));
  const auto held = std::make_shared<Held>(Held{plan, {device, {}, {}, {}, {}}});
  held->share.plan = std::make_unique<DevicePlan>(*plan, held->share.stream);
  held->share.stream.synchronize();
  held->share.pieces = std::make_unique<PointPieces>(plan->most + 1);
  held->share.batches[0] = std::make_unique<BatchOnDevice>(*plan, *held->share.plan, most);
  return {[held](const Seeds& seeds, std::int64_t first, std::int64_t count, const Progress& progress) {
            progress.throwIfCancelled();
            const OnDevice there(held->share.device);
            BatchOnDevice& batch = *held->share.batches[0];
            batch.begin(seeds, first, count);
            std::vector<LineBatch> batches;
            batch.finish(*held->share.pieces, [&](const LineBatchView& some) {
              batches.push_back(
                  {{some.records.begin(), some.records.end()}, {some.points.begin(), some.points.end()}});
              return true;
            });
            return batches;
          },
          kFewestSeeds, most};
}

TractResult findTracts(const TractInput& input, const TractOptions& options, const Progress& progress) {
  requireDevice();
  return findTractsWith(followSeeds, fitWeights, input, options, progress);
}

double tractDeviceBytes(std::int64_t voxels, int volumes) {
  return 4.0 * double(voxels) * (volumes + 4) + 2.0 * double(kBytesOfPoints);
}

}  // namespace sulcus::gpu::tracts
