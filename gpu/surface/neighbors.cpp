#include "gpu/surface/neighbors.h"

#include "core/base/parallel/parallel_for.h"
#include "gpu/runtime/device_time.h"
#include "gpu/runtime/devices.h"
#include "gpu/surface/search_job.h"
#include "gpu/surface/surface.h"

#include <algorithm>
#include <bit>
#include <memory>

namespace sulcus::gpu::surface {
using namespace sulcus::surface;
namespace {

constexpr const char* kWhat = "this search";
constexpr std::int64_t kRowsAtOnce = 1 << 16;  // per launch: their lists are in memory together

std::int64_t tilesOf(std::int64_t elements) { return ceilDivide(elements, kTile); }
int sizeOf(int side) { return side * side * side; }
/// Number of ranks in a list for `count` neighbors.
int keptOf(int count) { return int(std::bit_ceil(unsigned(std::max(count, 128)))); }
std::int64_t rowsAtOnce(std::int64_t elements, int count) {
  return std::min(tilesOf(elements) * kTile, kRowsAtOnce * 128 / keptOf(count));
}

}  // namespace

struct DeviceSearch::Memory {
  Memory(const Band& band, int count, const Stream& stream)
      : elements(band.count()),
        positions(tilesOf(elements) * kTile),
        size(band.patchSize()),
        patches(elements * size, stream, kWhat),
        voxels(uploaded<std::int64_t>(band.voxels, stream, kWhat)),
        hostAxes(patchAxes(band.side)),
        axes(uploaded<double>(hostAxes, stream, kWhat)),
        order(elements, stream),
        coordinates(elements * kCoordinates, stream, kWhat),
        elementAt(order.pieces() * kPiece, stream, kWhat),
        tilePatches(positions * 32 * stepsOf(size), stream, kWhat),
        bytes(positions * 8 * stepsOf(size), stream, kWhat),
        norms(positions, stream, kWhat),
        roundings(positions, stream, kWhat),
        places(positions, stream, kWhat),
        tiles(positions / kTile, stream, kWhat),
        subTiles(positions / kSubTile, stream, kWhat),
        tileVoxels(positions / kTile, stream, kWhat),
        subTileVoxels(positions / kSubTile, stream, kWhat),
        extent(1, stream, kWhat),
        ranks(rowsAtOnce(elements, count) * keptOf(count), stream, kWhat),
        grid(band.grid().size),
        spacing(band.grid().spacing()) {
    const auto phi = uploaded<float>(band.phi.values, stream, kWhat);
    gatherPatches(phi.data(), {grid, voxels.data(), elements, band.side}, patches.data(), stream);
  }

  std::int64_t elements, positions;
  int size;
  Buffer<float> patches;
  Buffer<std::int64_t> voxels;
  std::vector<double> hostAxes;
  Buffer<double> axes;
  PatchOrder order;
  Buffer<float> coordinates;
  Buffer<std::int32_t> elementAt;
  Buffer<float> tilePatches;
  Buffer<std::uint32_t> bytes;
  Buffer<int> norms;
  Buffer<float> roundings;
  Buffer<Place> places;
  Buffer<AxisBox> tiles, subTiles;
  Buffer<VoxelBox> tileVoxels, subTileVoxels;
  Buffer<PatchExtent> extent;
  Buffer<PatchRank> ranks;
  Vec3<int> grid;
  Vec3<double> spacing;

  SearchLayout layout() {
    return {tilePatches.data(), bytes.data(),    norms.data(),      roundings.data(),    places.data(),
            tiles.data(),       subTiles.data(), tileVoxels.data(), subTileVoxels.data()};
  }
};

DeviceSearch::DeviceSearch(const Band& band, int count, const Stream& stream) : stream_(&stream) {
  lists_.count = int(std::min<std::int64_t>(count, band.count() - 1));
  requireMemory(bytes(band.count(), band.grid().voxels(), band.side, count), kWhat);
  lists_.index = Buffer<std::int32_t>(band.count() * lists_.count, stream, kWhat);
  lists_.distance = Buffer<float>(band.count() * lists_.count, stream, kWhat);
  memory_ = std::make_unique<Memory>(band, lists_.count, stream);
}

DeviceSearch::~DeviceSearch() = default;

std::int64_t DeviceSearch::bytes(std::int64_t elements, std::int64_t gridVoxels, int side, int count) {
  const std::int64_t positions = tilesOf(elements) * kTile, steps = stepsOf(sizeOf(side));
  const std::int64_t list = rowsAtOnce(elements, count) * keptOf(count);
  return 4 * gridVoxels + elements * (4 * sizeOf(side) + 8 + 4 * kCoordinates + 8 * std::int64_t(count)) +
         positions * (160 * steps + 8 + std::int64_t(sizeof(Place)) + 4) + 4 * kPiece +
         std::int64_t(sizeof(AxisBox) + sizeof(VoxelBox)) * (positions / kTile + positions / kSubTile) +
         8 * kLeadingAxes * sizeOf(side) + PatchOrder::bytes(elements) +
         list * std::int64_t(sizeof(PatchRank)) + (1 << 20);
}

void DeviceSearch::prepare() {
  Memory& m = *memory_;
  m.extent.fillBytes(0, *stream_);
  projectPatches({m.patches.data(), m.elements, m.size}, m.axes.data(), m.coordinates.data(), m.extent.data(),
                 *stream_);
  m.order.make(m.coordinates.data(), m.elementAt.data(), *stream_);
  const PatchArrays arrays{m.patches.data(),
                           m.coordinates.data(),
                           m.elementAt.data(),
                           m.voxels.data(),
                           m.grid,
                           m.positions,
                           m.size};
  layOut(arrays, m.extent.data(), m.layout(), *stream_);
}

std::int64_t DeviceSearch::rowBlocks(const Band& band) {
  const std::int64_t positions = tilesOf(band.count()) * kTile;
  return positions / rowsPerBlock(band.patchSize(), positions);
}

void DeviceSearch::search(WorkQueue& blocks, const Progress& progress) {
  Memory& m = *memory_;
  const SearchJob job{.layout = m.layout(),
                      .extent = m.extent.data(),
                      .spacing = m.spacing,
                      .tiles = int(tilesOf(m.elements)),
                      .count = lists_.count,
                      .kept = keptOf(lists_.count),
                      .lists = m.ranks.data(),
                      .index = lists_.index.data(),
                      .distance = lists_.distance.data()};
  const int rows = rowsPerBlock(m.size, m.positions);
  const std::int64_t most = rowsAtOnce(m.elements, lists_.count) / rows;
  inBatches(blocks, TimedQueue<Stream>{*stream_}, progress, most, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t first = begin; first < end; first += most)
      searchRows(job, m.size, rows, first, std::min(end, first + most), *stream_);
  });
}

namespace {

/// One of the devices that share a search.
struct SharedSearch {
  Stream stream;
  DeviceSearch search;
  SharedSearch(const Band& band, int count) : search(band, count, stream) {}
};

/// A device that collects values [begin, end) of the lists of all.
struct Collector {
  const std::vector<int>& devices;
  int own;  ///< index among them
  std::int64_t begin, end;
  const Stream& stream;
};

/// Collects values of the lists of all devices on one, and copies them to the host. Each list was filled by
/// one device; in the memory of the others it is 0.
template <class T>
void collect(const std::vector<Buffer<T>*>& lists, const Collector& collector, std::vector<T>& to) {
  const auto& [devices, i, begin, end, stream] = collector;
  constexpr std::int64_t kAtOnce = 1 << 22;
  const WaitTimer waiting(WaitKind::copies);
  Buffer<T>& own = *lists[std::size_t(i)];
  Buffer<T> arrived(lists.size() > 1 ? std::min(kAtOnce, end - begin) : 0, stream, kWhat);
  for (std::int64_t at = begin; at < end; at += kAtOnce) {
    const std::int64_t size = std::min(kAtOnce, end - at);
    for (std::size_t other = 0; other < lists.size(); ++other) {
      if (int(other) == i) continue;
      SULCUS_CUDA(cudaMemcpyPeerAsync(arrived.data(), devices[std::size_t(i)], lists[other]->data() + at,
                                      devices[other], std::size_t(size) * sizeof(T), stream.get()));
      joinLists(own.data() + at, arrived.data(), size, stream);
    }
  }
  copyLarge(to.data() + begin, own.data() + begin, std::size_t(end - begin) * sizeof(T),
            cudaMemcpyDeviceToHost, stream);
}

}  // namespace

PatchNeighbors findNeighbors(const Band& band, int count, const Progress& progress) {
  requireDevice();
  const std::vector<int> devices = chosenDevices();
  const auto workers = int(devices.size());
  PatchNeighbors result;
  result.count = int(std::min<std::int64_t>(count, band.count() - 1));
  if (result.count <= 0) return result;
  WorkQueue rows(DeviceSearch::rowBlocks(band), workers);
  std::vector<std::unique_ptr<SharedSearch>> shared(devices.size());
  const auto searchOn = [&](int i) {
    auto& own = shared[std::size_t(i)];
    {
      const WaitTimer uploading(WaitKind::copies);
      own = std::make_unique<SharedSearch>(band, count);
    }
    progress.throwIfCancelled();
    if (workers > 1) {
      own->search.lists().index.fillBytes(0, own->stream);
      own->search.lists().distance.fillBytes(0, own->stream);
    }
    {
      const WaitTimer preparing(WaitKind::work);
      own->search.prepare();
    }
    own->search.search(rows, progress);
  };
  // Allocating and touching its memory takes the host as long as the search takes the device.
  const std::int64_t size = band.count() * result.count;
  parallelInvoke({[&] { onEachDevice(devices, searchOn); }, [&] { result.index.resize(std::size_t(size)); },
                  [&] { result.distance.resize(std::size_t(size)); }});
  std::vector<Buffer<std::int32_t>*> index;
  std::vector<Buffer<float>*> distance;
  for (const auto& one : shared) {
    index.push_back(&one->search.lists().index);
    distance.push_back(&one->search.lists().distance);
  }
  onEachDevice(devices, [&](int i) {
    const std::int64_t begin = size * i / workers, end = size * (i + 1) / workers;
    const Collector collector{devices, i, begin, end, shared[std::size_t(i)]->stream};
    collect(index, collector, result.index);
    collect(distance, collector, result.distance);
  });
  return result;
}

}  // namespace sulcus::gpu::surface
