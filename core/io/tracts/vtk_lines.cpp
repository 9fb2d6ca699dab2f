#include "core/base/error.h"
#include "core/io/streams/sink.h"
#include "core/io/tracts/line_cells.h"
#include "core/io/volumes/encoded_numbers.h"
#include "core/io/volumes/header_text.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <optional>
#include <utility>

// Lines in VTK PolyData in the legacy format (.vtk), text or binary.
namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

/// Reads the legacy format sequentially.
class LegacyVtk {
 public:
  LegacyVtk(std::string_view bytes, const fs::path& file) : rest_(bytes), file_(file), builder_(file) {
    const std::string_view version = takeLine(rest_);
    title_ = takeLine(rest_);
    const std::string kind = lowered(trimmed(takeLine(rest_)));
    binary_ = kind == "binary";
    if (!version.starts_with("# vtk DataFile") || (!binary_ && kind != "ascii"))
      failTracts(file_, "its header is not that of VTK");
  }

  TractFile read(const Progress& progress) {
    const std::size_t whole = rest_.size();
    while (true) {
      const std::string word = lowered(next());
      if (word.empty()) break;
      progress.update(1 - double(rest_.size()) / double(std::max<std::size_t>(whole, 1)));
      part(word);
    }
    if (lineCount_ == 0 && otherCells_ > 0) refuse();
    builder_.add(places_, lines_, ofPoints_, ofLines_);
    return builder_.finished(spaceIn(title_));
  }

 private:
  [[noreturn]] void refuse() const {
    throw Error(quoted(file_) + " is a legacy file of VTK without lines",
                "of these files tracts alone are read", "save a surface as .vtp, for example by ParaView");
  }

  void part(const std::string& word) {
    if (word == "dataset") {
      if (lowered(next()) != "polydata") refuse();
    } else if (word == "points") {
      pointCount_ = count();
      requireTractPoints(pointCount_, file_);
      places_ = numbers<float>(next(), 3 * pointCount_);
    } else if (word == "lines") {
      lines_ = cells();
      lineCount_ = lines_.ends.size();
    } else if (word == "vertices") {
      vertexCount_ = cells().ends.size();
    } else if (word == "polygons" || word == "triangle_strips") {
      otherCells_ += cells().ends.size();
    } else if (word == "point_data") {
      beginData(ofPoints_, 0, pointCount_);
      if (each_ != pointCount_) failTracts(file_, "its data are of another number of points");
    } else if (word == "cell_data") {
      beginData(ofLines_, vertexCount_, lineCount_);
      if (each_ != vertexCount_ + lineCount_ + otherCells_)
        failTracts(file_, "its data are of another number of lines");
    } else if (!readAttribute(word)) {
      failTracts(file_, "'" + word.substr(0, 40) + "' is not a PolyData keyword");
    }
  }

  /// Begins data of which `used` rows belong to points or lines, after `skipped` ones.
  void beginData(std::vector<CellValues>& values, std::uint64_t skipped, std::uint64_t used) {
    current_ = &values;
    each_ = count();
    skip_ = skipped;
    used_ = used;
  }

  /// Reads data of points or lines, or what belongs to them. Returns whether `word` begins such.
  bool readAttribute(const std::string& word) {
    if (word == "field") {
      next();
      for (std::uint64_t left = count(); left > 0; --left) fieldArray();
    } else if (word == "scalars") {
      readScalars();
    } else if (word == "vectors" || word == "normals") {
      const std::string name(next());
      attribute(name, next(), 3);
    } else if (word == "tensors") {
      const std::string name(next());
      attribute(name, next(), 9);
    } else if (word == "texture_coordinates") {
      const std::string name(next());
      const auto components = count();
      attribute(name, next(), int(std::clamp<std::uint64_t>(components, 1, 3)));
    } else if (word == "color_scalars") {
      const std::string name(next());
      const auto components = std::clamp<std::uint64_t>(count(), 1, 4);
      attribute(name, binary_ ? "unsigned_char" : "float", int(components));
    } else if (word == "lookup_table") {
      next();
      numbers<float>(binary_ ? "unsigned_char" : "float", 4 * std::min<std::uint64_t>(count(), 1 << 20));
    } else if (word == "metadata") {
      while (!trimmed(restOfLine()).empty()) {
      }
    } else {
      return false;
    }
    return true;
  }

  void readScalars() {
    const std::string name(next());
    const std::string_view type = next();
    const std::string_view ahead = trimmed(restOfLine());
    const auto stated = ahead.empty() ? std::optional(1.0) : numberOf(ahead);
    if (!stated || !(*stated >= 1 && *stated <= 1000)) failTracts(file_, "its scalars have no components");
    if (lowered(next()) != "lookup_table") failTracts(file_, "its scalars have no table of colors");
    next();
    attribute(name, type, int(*stated));
  }

  void fieldArray() {
    const std::string name(next());
    const std::uint64_t components = count(), tuples = count();
    const std::string_view type = next();
    if (components > 1000 || tuples > 2'000'000'000)
      failTracts(file_, "its field '" + name.substr(0, 40) + "' is too large");
    if (lowered(type) == "string") {
      for (std::uint64_t i = 0; i < components * tuples; ++i) {
        if (rest_.empty()) failTracts(file_, "it ends within a field");
        restOfLine();
      }
      return;
    }
    auto values = numbers<float>(type, components * tuples);
    if (current_ && tuples == each_ && components > 0) keep(name, int(components), std::move(values));
  }

  void attribute(const std::string& name, std::string_view type, int components) {
    if (!current_) failTracts(file_, "it has data of nothing");
    keep(name, components, numbers<float>(type, each_ * std::uint64_t(components)));
  }

  void keep(const std::string& name, int components, std::vector<float> values) {
    const auto n = std::uint64_t(components);
    values.erase(values.begin(), values.begin() + std::ptrdiff_t(skip_ * n));
    values.resize(std::size_t(used_ * n));
    const std::string shown = dataName(name, {});
    if (std::ranges::find(*current_, shown, &CellValues::name) != current_->end()) return;
    current_->push_back({shown, components, std::move(values)});
  }

  /// Reads cells in the form of any version: sizes and points mixed, or since 5.1 offsets and points.
  LineCells cells() {
    const std::uint64_t first = count(), second = count();
    LineCells all;
    if (lowered(trimmed(rest_.substr(0, 20))).starts_with("offsets")) {
      next();
      all.ends = numbers<std::int64_t>(next(), first);
      if (lowered(next()) != "connectivity") failTracts(file_, "the points of its lines are missing");
      all.points = numbers<std::int64_t>(next(), second);
      if (all.ends.empty() || all.ends.front() != 0)
        failTracts(file_, "the first of its lines begins nowhere");
      all.ends.erase(all.ends.begin());
      return all;
    }
    const auto mixed = numbers<std::int64_t>("int", second);
    for (std::size_t at = 0; all.ends.size() < first;) {
      if (at >= mixed.size() || mixed[at] < 0 || std::uint64_t(mixed[at]) > mixed.size() - at - 1)
        failTracts(file_, "the lengths of its lines do not add up");
      const auto size = std::ptrdiff_t(mixed[at]);
      all.points.insert(all.points.end(), mixed.begin() + std::ptrdiff_t(at) + 1,
                        mixed.begin() + std::ptrdiff_t(at) + 1 + size);
      at += std::size_t(size) + 1;
      all.ends.push_back(std::int64_t(all.points.size()));
    }
    return all;
  }

  SampleType sampleOf(std::string_view type) const {
    static constexpr std::pair<std::string_view, SampleType> kTypes[] = {
        {"float", SampleType::f32},         {"double", SampleType::f64},
        {"int", SampleType::i32},           {"unsigned_int", SampleType::u32},
        {"short", SampleType::i16},         {"unsigned_short", SampleType::u16},
        {"char", SampleType::i8},           {"unsigned_char", SampleType::u8},
        {"signed_char", SampleType::i8},    {"long", SampleType::i64},
        {"unsigned_long", SampleType::u64}, {"vtktypeint64", SampleType::i64},
        {"vtktypeuint64", SampleType::u64}, {"vtkidtype", SampleType::i32},
        {"vtktypeint32", SampleType::i32}};
    const std::string wanted = lowered(type);
    for (const auto& [name, sample] : kTypes)
      if (name == wanted) return sample;
    failTracts(file_, "'" + std::string(type.substr(0, 40)) + "' is not a number type");
  }

  template <class T>
  std::vector<T> numbers(std::string_view type, std::uint64_t many) {
    const SampleType sample = sampleOf(type);
    const auto each = std::uint64_t(binary_ ? sampleBytes(sample) : 2);
    if (many > 0 && (many - 1) > rest_.size() / each)
      failTracts(file_, "it declares more numbers than it has bytes for");
    requireMemory(2 * many * sizeof(T), file_);
    if (binary_) {
      restOfLine();
      if (many * each > rest_.size()) failTracts(file_, "it declares more numbers than it has bytes for");
      auto values = numbersOf<T>(rest_.substr(0, std::size_t(many * each)), sample,
                                 std::endian::native == std::endian::little);
      rest_.remove_prefix(std::size_t(many * each));
      return values;
    }
    std::vector<T> values;
    values.reserve(std::size_t(many));
    while (values.size() < many) {
      const auto value = numberOf(next());
      if (!value) failTracts(file_, "a number was expected");
      values.push_back(detail::toTarget<T>(*value));
    }
    return values;
  }

  std::uint64_t count() {
    const auto value = numberOf(next());
    if (!value || !(*value >= 0) || *value > 1e12) failTracts(file_, "a count was expected");
    return std::uint64_t(*value);
  }

  std::string_view next() {
    std::size_t from = 0;
    while (from < rest_.size() && std::isspace(static_cast<unsigned char>(rest_[from]))) ++from;
    std::size_t to = from;
    while (to < rest_.size() && !std::isspace(static_cast<unsigned char>(rest_[to]))) ++to;
    const std::string_view word = rest_.substr(from, to - from);
    rest_.remove_prefix(to);
    return word;
  }

  std::string_view restOfLine() {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return line;
  }

  std::string_view rest_, title_;
  const fs::path& file_;
  bool binary_ = false;
  LineBuilder builder_;
  std::vector<float> places_;
  LineCells lines_;
  std::uint64_t pointCount_ = 0, lineCount_ = 0, vertexCount_ = 0, otherCells_ = 0, each_ = 0, skip_ = 0,
                used_ = 0;
  std::vector<CellValues> ofPoints_, ofLines_;
  std::vector<CellValues>* current_ = nullptr;
};

/// Writes 32-bit numbers in big-endian order.
template <class T>
void writeSwapped(Sink& sink, std::span<const T> values) {
  static_assert(sizeof(T) == 4);
  std::vector<T> part;
  for (std::size_t begin = 0; begin < values.size(); begin += 1 << 18) {
    const auto some = values.subspan(begin, std::min<std::size_t>(1 << 18, values.size() - begin));
    part.clear();
    for (const T& value : some) part.push_back(load<T>(reinterpret_cast<const char*>(&value), true));
    sink.write({reinterpret_cast<const char*>(part.data()), part.size() * sizeof(T)});
  }
  sink.write(std::string_view("\n"));
}

void writeField(Sink& sink, const char* of, std::size_t count, const std::vector<Tracts::Data>& all) {
  if (all.empty()) return;
  sink.write(std::string(of) + " " + std::to_string(count) + "\nFIELD FieldData " +
             std::to_string(all.size()) + "\n");
  for (const Tracts::Data& data : all) {
    std::string name = data.name;
    std::ranges::replace_if(
        name, [](unsigned char c) { return std::isspace(c); }, '_');
    sink.write(name + " " + std::to_string(data.components) + " " + std::to_string(count) + " float\n");
    writeSwapped(sink, std::span<const float>(data.values));
  }
}

}  // namespace

TractFile readVtkLines(const fs::path& file, const Progress& progress) {
  const std::string bytes = wholeTractFile(file);
  return LegacyVtk(bytes, file).read(progress);
}

void writeVtkLines(const Tracts& tracts, const fs::path& to, const fs::path& file, const Progress& progress) {
  Sink sink(to, file, progress);
  sink.write(std::string("# vtk DataFile Version 3.0\n") + kSpaceComment +
             "\nBINARY\nDATASET POLYDATA\nPOINTS " + std::to_string(tracts.points.size()) + " float\n");
  writeSwapped(sink,
               std::span(reinterpret_cast<const float*>(tracts.points.data()), 3 * tracts.points.size()));
  std::vector<std::int32_t> mixed;
  mixed.reserve(tracts.points.size() + tracts.lines());
  for (std::size_t i = 0; i < tracts.lines(); ++i) {
    mixed.push_back(std::int32_t(tracts.first[i + 1] - tracts.first[i]));
    for (std::uint64_t p = tracts.first[i]; p < tracts.first[i + 1]; ++p) mixed.push_back(std::int32_t(p));
  }
  sink.write("LINES " + std::to_string(tracts.lines()) + " " + std::to_string(mixed.size()) + "\n");
  writeSwapped(sink, std::span<const std::int32_t>(mixed));
  writeField(sink, "POINT_DATA", tracts.points.size(), tracts.perPoint);
  writeField(sink, "CELL_DATA", tracts.lines(), tracts.perLine);
  sink.close();
}

}  // namespace sulcus::io
