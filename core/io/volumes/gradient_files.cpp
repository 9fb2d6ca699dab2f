#include "core/base/error.h"
#include "core/base/figure.h"
#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/formats.h"
#include "core/io/streams/byte_source.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;
using Rows = std::vector<std::vector<double>>;

constexpr double kTooFarFromUnit = 0.01;
// If lengths encode the weighting, at least this many directions are shorter than 1, not just a few that were
// written inaccurately.
constexpr int kFewestShorter = 3;
constexpr double kLeastShareShorter = 0.05;

/// The rows of numbers in a file, separated by blanks, tabs or commas. Empty lines and comments after # are
/// ignored.
Rows readNumbers(const fs::path& file) {
  const std::string text = openText(file);
  Rows rows;
  int lineNumber = 1;
  std::vector<double> row;
  const auto endLine = [&] {
    if (!row.empty()) rows.push_back(std::move(row));
    row.clear();
    ++lineNumber;
  };
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    const char c = *at;
    if (c == '\n') {
      endLine();
      ++at;
    } else if (c == '#') {
      at = std::find(at, end, '\n');
    } else if (c == ' ' || c == '\t' || c == ',' || c == '\r') {
      ++at;
    } else {
      const char* const word = at;
      at = std::find_if(at, end,
                        [](char d) { return d == ' ' || d == '\t' || d == ',' || d == '\r' || d == '\n'; });
      double value = 0;
      const auto [stop, fault] = std::from_chars(word + (*word == '+'), at, value);
      if (fault != std::errc() || stop != at)
        throw Error(quoted(file) + " is not a table of numbers",
                    "line " + std::to_string(lineNumber) + " holds '" +
                        std::string(word, std::min<std::size_t>(at - word, 20)) + "'",
                    "check that it is the right file");
      row.push_back(value);
    }
  }
  endLine();
  if (rows.empty())
    throw Error(quoted(file) + " holds no numbers", "it has no line with values",
                "check that it is the right file");
  return rows;
}

[[noreturn]] void failCount(const fs::path& file, const char* what, std::size_t found, int wanted) {
  throw Error(quoted(file) + " has " + std::to_string(found) + " " + what,
              "the scan has " + std::to_string(wanted) + " volumes",
              "use the file that belongs to this scan");
}

std::string number(double value) { return significantText(value, 10); }

/// Makes rows of the table from b-values and directions of any length, and counts the corrections.
class TableMaker {
 public:
  explicit TableMaker(fs::path file) : file_(std::move(file)) {}

  void add(double b, const Vec3<double>& direction) {
    const double length = norm(direction);
    // MRtrix and FSL write a volume without weighting like this.
    if (std::isnan(length) && (std::isnan(b) || (b >= 0 && b < kLargestBaseline))) {
      ++missing_;
      table_.rows.push_back({});
      return;
    }
    if (!(b >= 0 && b < 1e6) || std::isinf(length))
      throw Error(quoted(file_) + " says that volume " + std::to_string(table_.rows.size() + 1) +
                      " has b = " + number(b) + " and a direction of length " + number(length),
                  "that is not a diffusion weighting", "correct that row");
    table_.rows.push_back({b, direction});
  }

  GradientTable take(std::string source, std::vector<std::string> files) {
    const double nominal = bOfLengths();
    int scaled = 0, notUnit = 0;
    for (std::size_t v = 0; v < table_.rows.size(); ++v) {
      auto& [b, direction] = table_.rows[v];
      const double length = norm(direction);
      if (nominal > 0 && isNominal(b, nominal) && length >= 0) {
        scaled += length < 1 - kTooFarFromUnit;
        if (length < 1 - kTooFarFromUnit) b *= length * length;
      } else if (!(length > 0) && b >= kLargestBaseline) {
        throw Error(quoted(file_) + " gives volume " + std::to_string(v + 1) + " b = " + number(b) +
                        " but no direction",
                    "it would count as unweighted",
                    "remove that volume (often a trace image), or give its direction");
      } else if (b > 0 && length > 0) {
        notUnit += std::abs(length - 1) > kTooFarFromUnit;
      }
      direction = b > 0 && length > 0 ? (1 / length) * direction : Vec3<double>{};
    }
    if (missing_ > 0)
      source = source + "; " + std::to_string(missing_) + (missing_ == 1 ? " row" : " rows") +
               " with nan taken as b = 0";
    if (scaled > 0)
      source = source + "; the lengths of the directions hold the weighting: " + std::to_string(scaled) +
               " b-values of " + number(nominal) + " were multiplied by the square of theirs";
    if (notUnit > 0)
      source = source + "; " + std::to_string(notUnit) +
               " directions were not of length 1 and were normalized, b-values kept";
    table_.source = std::move(source);
    table_.files = std::move(files);
    return std::move(table_);
  }

 private:
  static bool isNominal(double b, double nominal) { return std::abs(b - nominal) <= 0.01 * nominal; }

  /// The b-value whose share is given by the squared length of the directions, as some scanners and MRtrix
  /// write scans with several weightings: the largest b-value, if among its volumes the longest direction has
  /// length 1 and several are shorter, by different or equal amounts; 0 if lengths do not encode it.
  double bOfLengths() const {
    double largest = 0, longest = 0;
    for (const auto& row : table_.rows) largest = std::max(largest, row.b);
    int weighted = 0, shorter = 0;
    for (const auto& row : table_.rows) {
      if (!isNominal(row.b, largest)) continue;
      const double length = norm(row.directionWorld);
      longest = std::max(longest, length);
      weighted += length > 0;
      shorter += length > 0 && length < 1 - 2 * kTooFarFromUnit;
    }
    const bool hold = std::abs(longest - 1) <= kTooFarFromUnit && shorter >= kFewestShorter &&
                      shorter >= kLeastShareShorter * weighted;
    return hold ? largest : 0;
  }

  fs::path file_;
  GradientTable table_;  ///< with directions as given, until take()
  int missing_ = 0;
};

/// The other file of an FSL pair, whose name has "bvec" in place of "bval" or the reverse. Rotated directions
/// may share the file of the b-values from before the rotation, and FSL also has names for a whole folder.
fs::path otherOfPair(const fs::path& file, const std::string& own, const std::string& other) {
  const auto swapped = [&](std::string name) {
    const auto at = name.rfind(own);
    return at == name.npos ? std::string() : name.replace(at, own.size(), other);
  };
  const std::string name = file.filename().string();
  std::string unrotated = name;
  if (const auto at = name.find(".eddy_rotated_"); at != name.npos) unrotated.erase(at + 1, 13);
  std::string tried;
  for (std::string candidate : {swapped(name), swapped(unrotated), other + "s", other}) {
    if (candidate.empty()) continue;
    std::error_code fault;
    if (fs::is_regular_file(file.parent_path() / candidate, fault)) return file.parent_path() / candidate;
    if (tried.find(quoted(fs::path(candidate))) == tried.npos)
      tried.append(tried.empty() ? "" : ", ").append(quoted(fs::path(candidate)));
  }
  throw Error(
      "The " + std::string(other == "bval" ? "b-values" : "directions") + " are missing for " + quoted(file),
      "none of " + tried + " is next to it", "put both files of the pair into one folder");
}

}  // namespace

GradientTable readFslGradients(const fs::path& bval, const fs::path& bvec, const Grid& grid, int volumes) {
  std::vector<FileStamp> stamps{stampOf(bval), stampOf(bvec)};
  std::vector<double> b;
  for (const auto& row : readNumbers(bval)) b.insert(b.end(), row.begin(), row.end());
  if (int(b.size()) != volumes) failCount(bval, "b-values", b.size(), volumes);

  const Rows rows = readNumbers(bvec);
  for (const auto& row : rows)
    if (row.size() != rows[0].size())
      throw Error(quoted(bvec) + " has lines of different lengths",
                  std::to_string(rows[0].size()) + " and " + std::to_string(row.size()) + " numbers",
                  "give three lines, or three numbers per line");
  const std::size_t columns = rows[0].size();
  const bool byComponent = rows.size() == 3;  // FSL's own layout, which is also assumed for 3 × 3 numbers
  if (!byComponent && columns != 3)
    throw Error(quoted(bvec) + " is not a list of directions",
                "it has " + std::to_string(rows.size()) + " lines of " + std::to_string(columns) + " numbers",
                "give three lines, or three numbers per line");
  const std::size_t found = byComponent ? columns : rows.size();
  if (found != std::size_t(volumes)) failCount(bvec, "directions", found, volumes);

  const bool negateFirst = grid.worldFromVoxel.determinant() > 0;
  const Affine fromFsl = worldFromFsl(grid);
  TableMaker maker(bvec);
  for (int v = 0; v < volumes; ++v) {
    const Vec3<double> g = byComponent ? Vec3<double>{rows[0][v], rows[1][v], rows[2][v]}
                                       : Vec3<double>{rows[v][0], rows[v][1], rows[v][2]};
    maker.add(b[v], fromFsl.vector(g));
  }
  std::string lines = byComponent ? "three lines" : "one direction per line";
  if (byComponent && volumes == 3)
    lines += ": with three volumes either could be meant, FSL's own layout taken";
  GradientTable table = maker.take(bval.filename().string() + " and " + bvec.filename().string() + " (FSL, " +
                                       lines + "), image axes turned into scanner axes, first component " +
                                       (negateFirst ? "negated because the image is right-handed"
                                                    : "kept because the image is left-handed"),
                                   {bval.string(), bvec.string()});
  table.stamps = std::move(stamps);
  return table;
}

GradientTable mrtrixGradients(const std::vector<std::vector<double>>& rows, int volumes, const fs::path& file,
                              std::string source, std::vector<std::string> files) {
  if (int(rows.size()) != volumes) failCount(file, "rows", rows.size(), volumes);
  TableMaker maker(file);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].size() < 4)
      throw Error(quoted(file) + " is not an MRtrix gradient table",
                  "row " + std::to_string(r + 1) + " has " + std::to_string(rows[r].size()) + " numbers",
                  "give x y z b in every row");
    maker.add(rows[r][3], {rows[r][0], rows[r][1], rows[r][2]});
  }
  return maker.take(std::move(source), std::move(files));
}

GradientTable readMrtrixGradients(const fs::path& file, int volumes) {
  const FileStamp stamp = stampOf(file);
  GradientTable table =
      mrtrixGradients(readNumbers(file), volumes, file,
                      file.filename().string() + " (MRtrix table, scanner axes)", {file.string()});
  table.stamps = {stamp};
  return table;
}

GradientTable readGradients(const fs::path& file, const Grid& grid, int volumes) {
  const Rows rows = readNumbers(file);
  const bool fourColumns = std::all_of(rows.begin(), rows.end(), [](const auto& r) { return r.size() >= 4; });
  if (fourColumns && (int(rows.size()) == volumes || (rows.size() != 1 && rows.size() != 3)))
    return readMrtrixGradients(file, volumes);
  const bool oneColumn = std::all_of(rows.begin(), rows.end(), [](const auto& r) { return r.size() == 1; });
  const bool isBval = rows.size() == 1 || oneColumn;
  const fs::path partner = isBval ? otherOfPair(file, "bval", "bvec") : otherOfPair(file, "bvec", "bval");
  return isBval ? readFslGradients(file, partner, grid, volumes)
                : readFslGradients(partner, file, grid, volumes);
}

void replaceGradients(Layer& scan, GradientTable gradients) {
  auto* const volume = std::get_if<VolumeLayer>(&scan.content);
  if (!volume)
    throw Error("'" + scan.name + "' holds " + kindWithArticle(scan),
                "gradients belong to a diffusion series", "give the series of diffusion-weighted volumes");
  std::erase_if(scan.notes, [](const Note& note) { return note.subject == Subject::gradients; });
  if (!gradients.source.empty())
    scan.notes.push_back((gradients.empty() ? Note::warning("gradients cannot be used: " + gradients.source)
                                            : Note("Gradients from " + gradients.source + "."))
                             .about(Subject::gradients));
  if (!gradients.empty()) volume->secondsPerVolume = 0;
  volume->gradients = std::move(gradients);
}

GradientTable findGradients(const fs::path& scan, const Grid& grid, int volumes) {
  if (volumes < 2) return {};
  std::error_code fault;
  const auto exists = [&](const fs::path& file) {
    requireFetched(file);
    return !file.empty() && fs::is_regular_file(file, fault);
  };
  for (const auto& [val, vec] : {std::pair{".bval", ".bvec"}, std::pair{".bvals", ".bvecs"}}) {
    const fs::path bval = beside(scan, val), bvec = beside(scan, vec);
    if (exists(bval) && exists(bvec)) return readFslGradients(bval, bvec, grid, volumes);
  }
  for (const char* extension : {".b", ".grad"})
    if (const fs::path table = beside(scan, extension); exists(table))
      return readMrtrixGradients(table, volumes);
  if (const fs::path bval = inherited(scan, ".bval"), bvec = inherited(scan, ".bvec");
      exists(bval) && exists(bvec)) {
    GradientTable table = readFslGradients(bval, bvec, grid, volumes);
    table.source = table.source + "; found by BIDS inheritance";
    return table;
  }
  // FSL's names for a whole folder may belong to another scan in it, so a wrong count is not an error.
  const fs::path bvals = scan.parent_path() / "bvals", bvecs = scan.parent_path() / "bvecs";
  if (exists(bvals) && exists(bvecs)) {
    std::size_t count = 0;
    for (const auto& row : readNumbers(bvals)) count += row.size();
    if (int(count) == volumes) return readFslGradients(bvals, bvecs, grid, volumes);
  }
  return {};
}

FslTexts fslTexts(const GradientTable& gradients, const Grid& grid) {
  const Affine fslFromWorld = worldFromFsl(grid).inverse();
  FslTexts texts;
  std::string lines[3];
  for (const auto& row : gradients.rows) {
    const Vec3<double> g = fslFromWorld.vector(row.directionWorld);
    const char* const gap = texts.bval.empty() ? "" : " ";
    texts.bval.append(gap).append(number(row.b));
    for (int i = 0; i < 3; ++i) lines[i].append(gap).append(number(g[i] == 0 ? 0 : g[i]));
  }
  texts.bval += "\n";
  texts.bvec = lines[0] + "\n" + lines[1] + "\n" + lines[2] + "\n";
  return texts;
}

}  // namespace sulcus::io
