#include "core/base/parallel/parallel_for.h"
#include "core/io/streams/file_json.h"
#include "core/io/streams/zip_archive.h"
#include "core/io/tracts/tract_files.h"
#include "core/math/half.h"

#include <algorithm>
#include <set>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNumbersAtOnce = 1 << 20;

class TrxStream : public TractStream {
 public:
  TrxStream(const fs::path& to, const fs::path& file, std::optional<Grid> scan, bool half,
            const Progress& progress)
      : zip_(to, file, progress), scan_(std::move(scan)), half_(half) {
    zip_.begin(half ? "positions.3.float16" : "positions.3.float32");
  }

  void append(const Tracts& lines) override {
    if (lines_ == 0) {
      perLine_ = emptied(lines.perLine);
      perPoint_ = emptied(lines.perPoint);
    }
    if (!scan_ && !lines.points.empty()) scan_ = gridAround(lines);
    put(lines.points);
    const std::uint64_t base = first_.back();
    for (std::size_t i = 1; i < lines.first.size(); ++i) first_.push_back(base + lines.first[i]);
    add(perLine_, lines.perLine);
    add(perPoint_, lines.perPoint);
    lines_ += lines.lines();
  }

  void close(std::span<const Tracts::Group> groups) override {
    zip_.begin("offsets.uint64");
    write(first_);
    for (const auto& data : perPoint_) put("dpv/", data);
    for (const auto& data : perLine_) put("dps/", data);
    std::set<std::string> names;
    for (const auto& group : groups) {
      std::string name = fileName(group.name);
      while (!names.insert(name).second) name += "_";
      zip_.begin("groups/" + name + ".uint32");
      write(group.lines);
    }
    const Grid scan = scan_.value_or(gridAround({}));
    nlohmann::ordered_json matrix;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& row = scan.worldFromVoxel.m[i];
      matrix.push_back({row[0], row[1], row[2], scan.worldFromVoxel.t[int(i)]});
    }
    matrix.push_back({0.0, 0.0, 0.0, 1.0});
    zip_.begin("header.json");
    zip_.write(jsonText({{"DIMENSIONS", {scan.size.x, scan.size.y, scan.size.z}},
                         {"VOXEL_TO_RASMM", matrix},
                         {"NB_VERTICES", first_.back()},
                         {"NB_STREAMLINES", lines_}}));
    zip_.close();
  }

 private:
  static std::vector<Tracts::Data> emptied(const std::vector<Tracts::Data>& all) {
    std::vector<Tracts::Data> without;
    for (const auto& data : all) without.push_back({data.name, data.components, {}});
    return without;
  }

  static void add(std::vector<Tracts::Data>& to, const std::vector<Tracts::Data>& more) {
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i].values.insert(to[i].values.end(), more[i].values.begin(), more[i].values.end());
  }

  /// A name for a file in an archive: without slashes, and without dots, which separate it from type and
  /// components.
  static std::string fileName(std::string name) {
    for (char& c : name)
      if (c == '/' || c == '\\' || c == '.' || static_cast<unsigned char>(c) < ' ') c = '_';
    return name.empty() ? "data" : name;
  }

  template <class T>
  void write(const std::vector<T>& values) {
    zip_.write({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }

  void put(const std::string& folder, const Tracts::Data& data) {
    const std::string components = data.components > 1 ? "." + std::to_string(data.components) : "";
    zip_.begin(folder + fileName(data.name) + components + ".float32");
    write(data.values);
  }

  void put(const std::vector<Vec3<float>>& points) {
    if (!half_) return write(points);
    const auto* const numbers = reinterpret_cast<const float*>(points.data());
    const std::size_t count = 3 * points.size();
    std::vector<std::uint16_t> part;
    for (std::size_t begin = 0; begin < count; begin += kNumbersAtOnce) {
      part.resize(std::min(kNumbersAtOnce, count - begin));
      parallelFor(std::int64_t(part.size()), 1 << 16, {}, [&](std::int64_t i) {
        part[std::size_t(i)] = halfFromFloat(numbers[begin + std::size_t(i)]);
      });
      write(part);
    }
  }

  ZipWriter zip_;
  std::optional<Grid> scan_;
  bool half_;
  std::vector<std::uint64_t> first_{0};
  std::vector<Tracts::Data> perLine_, perPoint_;
  std::uint64_t lines_ = 0;
};

}  // namespace

std::unique_ptr<TractStream> trxStream(const fs::path& to, const fs::path& file, std::optional<Grid> scan,
                                       bool half, const Progress& progress) {
  return std::make_unique<TrxStream>(to, file, std::move(scan), half, progress);
}

}  // namespace sulcus::io
