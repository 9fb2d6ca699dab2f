#include "core/base/error.h"
#include "core/io/streams/sink.h"
#include "core/io/tracts/tract_files.h"
#include "core/io/volumes/header_text.h"
#include "core/io/volumes/samples.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

// The format as MRtrix documents it: a header of lines "key: value", then the points consecutively, with
// (NaN, NaN, NaN) after each line and (inf, inf, inf) at the end.
namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLongestTckHeader = 4'000'000;  // bytes; it may contain the command history
constexpr std::size_t kPointsAtOnce = 1 << 17;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(),
                kInfinite = std::numeric_limits<float>::infinity();

struct TckHeader {
  SampleType type = SampleType::f32;
  bool bigEndian = false;
  std::uint64_t data = 0;  ///< where the points begin
  std::optional<std::uint64_t> count;
};

void readNumberType(std::string_view value, TckHeader& header, const fs::path& file) {
  static const std::set<std::string> kTypes{"float32", "float32le", "float32be",
                                            "float64", "float64le", "float64be"};
  const std::string type = lowered(value);
  if (!kTypes.contains(type))
    failTracts(file, "its numbers are of the type '" + std::string(value.substr(0, 40)) + "'");
  header.type = type.starts_with("float64") ? SampleType::f64 : SampleType::f32;
  header.bigEndian = type.ends_with("be");
}

/// A count or a position; `what` begins the sentence on one that is invalid.
std::uint64_t wholeNumberIn(std::string_view text, std::string_view shown, const fs::path& file,
                            const std::string& what) {
  const auto number = numberOf(text);
  if (!number || !(*number >= 0) || *number != std::floor(*number) || *number > 1e15)
    failTracts(file, what + " '" + std::string(shown.substr(0, 40)) + "'");
  return std::uint64_t(*number);
}

std::string nextLine(ByteSource& source, const fs::path& file) {
  std::string line;
  for (char c = 0; source.read({&c, 1}), c != '\n';) {
    line += c;
    if (source.position() > kLongestTckHeader) failTracts(file, "its header has no end");
  }
  return line;
}

TckHeader readTckHeader(ByteSource& source, const fs::path& file) {
  TckHeader header;
  bool hasType = false;
  while (true) {
    const std::string line = nextLine(source, file);
    const std::string_view words = trimmed(line);
    if (words == "END") break;
    const std::size_t colon = words.find(':');
    if (colon == words.npos) continue;
    const std::string_view key = trimmed(words.substr(0, colon)), value = trimmed(words.substr(colon + 1));
    if (key == "datatype") {
      readNumberType(value, header, file);
      hasType = true;
    } else if (key == "count") {
      header.count = wholeNumberIn(value, value, file, "its number of lines is");
    } else if (key == "file") {
      const auto parts = wordsOf(value);
      const bool isInside = parts.size() == 2 && parts[0] == ".";
      header.data = wholeNumberIn(isInside ? parts[1] : "", value, file, "the position of its points is");
    }
  }
  if (!hasType) failTracts(file, "its header does not give the type of its numbers");
  if (header.data < source.position()) failTracts(file, "its points begin within its header");
  return header;
}

[[noreturn]] void failCut(const fs::path& file, std::uint64_t lines) {
  throw Error(quoted(file) + " ends too early",
              "the mark at the end is missing after " + std::to_string(lines) + " lines",
              "copy it or track again: it was cut off, or is still being written");
}

class TckStream : public TractStream {
 public:
  TckStream(const fs::path& to, const fs::path& file, const Progress& progress) : sink_(to, file, progress) {
    const std::string before = "mrtrix tracks\ndatatype: Float32LE\ncount: ";
    countAt_ = before.size();
    std::string text = before + std::string(kDigits, '0') + "\nfile: . ";
    const std::size_t size = text.size() + 2 + std::string("\nEND\n").size();
    sink_.write(text + std::to_string(size) + "\nEND\n");
  }

  void append(const Tracts& lines) override {
    std::vector<Vec3<float>> part;
    for (std::size_t i = 0; i < lines.lines(); ++i) {
      const auto line = lines.line(i);
      part.insert(part.end(), line.begin(), line.end());
      part.push_back({kNaN, kNaN, kNaN});
      if (part.size() >= kPointsAtOnce) put(part);
    }
    put(part);
    count_ += lines.lines();
  }

  void close(std::span<const Tracts::Group>) override {
    std::vector<Vec3<float>> end{{kInfinite, kInfinite, kInfinite}};
    put(end);
    const std::string count = std::to_string(count_);
    sink_.replace(countAt_ + kDigits - count.size(), count);
    sink_.close();
  }

 private:
  static constexpr std::size_t kDigits = 12;

  void put(std::vector<Vec3<float>>& points) {
    sink_.write({reinterpret_cast<const char*>(points.data()), points.size() * sizeof(Vec3<float>)});
    points.clear();
  }

  Sink sink_;
  std::size_t countAt_ = 0;
  std::uint64_t count_ = 0;
};

bool allOf(const Vec3<float>& p, bool (*is)(float)) { return is(p.x) && is(p.y) && is(p.z); }

/// Appends points, among which NaN ends a line and infinity the file. Returns whether the file ended.
bool appendPoints(std::span<const Vec3<float>> points, Tracts& tracts, const fs::path& file) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& p = points[i];
    if (allOf(p, [](float c) { return std::isfinite(c); })) continue;
    const bool isEnd = allOf(p, [](float c) { return std::isinf(c); });
    tracts.points.insert(tracts.points.end(), points.begin() + std::ptrdiff_t(begin),
                         points.begin() + std::ptrdiff_t(i));
    begin = i + 1;
    if (!isEnd && !allOf(p, [](float c) { return std::isnan(c); }))
      failTracts(file, "a point of line " + std::to_string(tracts.lines() + 1) + " is invalid");
    if (!isEnd || tracts.points.size() > tracts.first.back()) tracts.first.push_back(tracts.points.size());
    requireTractLines(tracts.lines(), file);
    if (isEnd) return true;
  }
  tracts.points.insert(tracts.points.end(), points.begin() + std::ptrdiff_t(begin), points.end());
  return false;
}

}  // namespace

TractFile readTck(const fs::path& file, const Progress& progress, std::uint64_t wanted) {
  ByteSource source(file);
  const TckHeader header = readTckHeader(source, file);
  source.skipTo(header.data, progress);
  const std::size_t pointBytes = 3 * std::size_t(sampleBytes(header.type));
  const std::uint64_t size = source.compressed() ? 0 : source.storedSize() - header.data,
                      most = size / pointBytes;
  requireMemory(most * sizeof(Vec3<float>), file);
  TractFile read;
  Tracts& tracts = read.tracts;
  requireTractPoints(most, file);
  tracts.points.reserve(std::size_t(std::min(most, wanted)));
  std::vector<char> bytes(kPointsAtOnce * pointBytes);
  std::vector<float> numbers(3 * kPointsAtOnce);
  const bool swap = header.bigEndian != (std::endian::native == std::endian::big);
  for (bool ended = false; !ended;) {
    const std::size_t count = source.readSome(bytes) / pointBytes;
    if (count == 0) failCut(file, tracts.lines());
    detail::convert<float>(header.type, bytes.data(), swap, {}, std::span(numbers).first(3 * count));
    ended = appendPoints({reinterpret_cast<const Vec3<float>*>(numbers.data()), count}, tracts, file);
    requireTractPoints(tracts.points.size(), file);
    if (!ended && tracts.points.size() >= wanted) {
      tracts.points.resize(std::size_t(tracts.first.back()));
      return read;
    }
    if (source.compressed()) requireMemory(tracts.points.size() * sizeof(Vec3<float>), file);
    progress.update(size > 0 ? std::min(1.0, double(source.position()) / double(size + header.data)) : 0.5);
  }
  if (source.compressed()) source.finish();
  if (header.count && *header.count != tracts.lines())
    throw Error(quoted(file) + " declares " + std::to_string(*header.count) + " lines and has " +
                    std::to_string(tracts.lines()),
                "it was truncated, or the program that wrote it did not finish", "copy it or track again");
  read.notes = {std::string("Points as TCK of MRtrix has them: mm in RAS+ axes of the scanner, no half voxel "
                            "added. ") +
                storedNote(header.type)};
  return read;
}

std::unique_ptr<TractStream> tckStream(const fs::path& to, const fs::path& file, const Progress& progress) {
  return std::make_unique<TckStream>(to, file, progress);
}

}  // namespace sulcus::io
