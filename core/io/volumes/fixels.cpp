#include "core/io/volumes/fixels.h"

#include "core/base/error.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <system_error>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostInVoxel = 100;
constexpr float kNoPeak = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargestIndex = 16'777'216;  // largest integer range that a float holds exactly

fs::path imageIn(const fs::path& folder, const char* stem) {
  std::error_code fault;
  for (const char* ending : {".mif", ".mif.gz", ".nii", ".nii.gz"})
    if (fs::path file = folder / (std::string(stem) + ending); fs::is_regular_file(file, fault)) return file;
  return {};
}

[[noreturn]] void fail(const fs::path& file, const std::string& why) {
  throw Error(quoted(file) + " does not fit the fixels next to it", why,
              "copy the whole folder of fixels again");
}

/// The fixels of a voxel.
struct Share {
  std::int64_t first = 0, count = 0;
};

Share shareOf(const Series<float>& index, std::int64_t voxel, std::int64_t fixels, const fs::path& file) {
  const float count = index.at(voxel, 0), first = index.at(voxel, 1);
  if (!(count > 0)) return {};
  if (!(first >= 0 && double(first) + double(count) <= double(fixels)))
    fail(file, "it counts more than the " + std::to_string(fixels) + " that there are");
  if (first >= kLargestIndex)
    throw Error(quoted(file) + " has more than 16 million fixels", "Sulcus supports no more",
                "crop it with fixelcrop");
  if (count > float(kMostInVoxel))
    fail(file, "a voxel has " + std::to_string(std::int64_t(count)) + " of them");
  return {std::int64_t(first), std::int64_t(count)};
}

/// Where the fixels of all voxels lie.
struct FixelIndex {
  std::vector<Share> shares;      ///< by voxel
  std::int64_t most = 0;          ///< fixels in a voxel
  std::int64_t filledVoxels = 0;  ///< that have any
};

FixelIndex indexOf(const Series<float>& stored, std::int64_t fixels, const fs::path& file) {
  FixelIndex index;
  index.shares.reserve(std::size_t(stored.grid.voxels()));
  for (std::int64_t voxel = 0; voxel < stored.grid.voxels(); ++voxel) {
    const Share& share = index.shares.emplace_back(shareOf(stored, voxel, fixels, file));
    index.most = std::max(index.most, share.count);
    index.filledVoxels += share.count > 0;
  }
  if (index.most == 0) fail(file, "no voxel has any");
  return index;
}

/// The peak of a fixel of this direction, as long as `value`; NaN without a length.
Vec3<float> peakOf(const Series<float>& directions, std::int64_t fixel, float value) {
  const std::int64_t fixels = directions.grid.size.x;
  const auto at = [&](int axis) { return directions.values[std::size_t(fixel + axis * fixels)]; };
  const Vec3<float> direction{at(0), at(1), at(2)};
  const float length = std::abs(value) / norm(direction);
  if (!(length > 0) || !std::isfinite(length)) return {kNoPeak, kNoPeak, kNoPeak};
  return length * direction;
}

}  // namespace

fs::path fixelIndexOf(const fs::path& file) {
  const fs::path index = imageIn(file.parent_path(), "index");
  std::error_code fault;
  if (index.empty() || fs::equivalent(index, file, fault)) return {};
  return imageIn(file.parent_path(), "directions").empty() ? fs::path() : index;
}

fs::path fixelDirectionsIn(const fs::path& folder) {
  return imageIn(folder, "index").empty() ? fs::path() : imageIn(folder, "directions");
}

bool areFixels(const RawImage& raw) {
  return raw.series.count == 1 && raw.series.grid.size.z == 1 && !raw.colors;
}

PeaksLayer fixelsOf(const RawImage& raw, const fs::path& file, const fs::path& index,
                    const std::function<RawImage(const fs::path&)>& open, Notes& notes) {
  const fs::path directionsFile = imageIn(file.parent_path(), "directions");
  std::error_code fault;
  const bool alone = fs::equivalent(directionsFile, file, fault);
  std::optional<RawImage> opened;
  const Series<float>& directions = alone ? raw.series : opened.emplace(open(directionsFile)).series;
  const std::int64_t fixels = directions.grid.size.x;
  if (directions.grid.size != Vec3<int>{int(fixels), 3, 1} || directions.count != 1)
    fail(directionsFile, "it is not n × 3 × 1");
  if (raw.series.grid.size.x != fixels)
    fail(file, "it has " + std::to_string(raw.series.grid.size.x) + " numbers for " + std::to_string(fixels) +
                   " fixels");
  const RawImage indexImage = open(index);
  const Grid& grid = indexImage.series.grid;
  if (indexImage.series.count != 2) fail(index, "an index has two volumes");
  const auto [shares, most, filled] = indexOf(indexImage.series, fixels, index);
  requireMemory(std::uint64_t(3 * most * grid.voxels()) * sizeof(float), index);
  auto peaks = std::make_shared<Series<float>>(grid, int(3 * most), kNoPeak);
  bool negative = false;
  for (std::int64_t voxel = 0; voxel < grid.voxels(); ++voxel) {
    const auto [first, count] = shares[std::size_t(voxel)];
    for (std::int64_t i = 0; i < count; ++i) {
      const float value = alone ? 1 : raw.series.values[std::size_t(first + i)];
      const Vec3<float> peak = peakOf(directions, first + i, value);
      negative = negative || (value < 0 && !std::isnan(peak.x));
      for (int axis = 0; axis < 3; ++axis) peaks->at(voxel, int(3 * i + axis)) = peak[axis];
    }
  }
  notes = indexImage.notes;  // those on the grid
  notes.push_back("Fixels of MRtrix: " + std::to_string(fixels) + " in " + std::to_string(filled) +
                  " voxels, up to " + std::to_string(most) + " in one" +
                  (alone ? ". The other files of the folder give them lengths." : "."));
  if (raw.series.grid.size.y > 1 && !alone)
    notes.push_back("Of " + std::to_string(raw.series.grid.size.y) +
                    " numbers for each the first is its length.");
  if (negative) notes.emplace_back("Negative numbers are drawn by their size.");
  return {peaks, nullptr};
}

}  // namespace sulcus::io
