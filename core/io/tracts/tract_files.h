#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/image/grid.h"
#include "core/image/tracts.h"
#include "core/io/streams/byte_source.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

// One reader and one writer per format of tracts. Readers throw Error and Cancelled; nothing is allocated for
// more lines and points than the size of a file permits.
namespace sulcus::io {

enum class TractFormat { tck, trk, trx, vtp, vtk, tt };

/// The tracts of a file, RAS+ mm.
struct TractFile {
  Tracts tracts;
  std::optional<Grid> scan;  ///< grid of the scan that they were computed on, if the file states it
  Notes notes;               ///< the orientation card: which space was used and why
};

/// The format of a file by its first bytes; nullopt for files that hold no tracts. VTK PolyData counts as
/// tracts if it has lines and no polygons.
std::optional<TractFormat> tractFormatOf(const std::filesystem::path& file);
/// The format for writing a file, by its extension: .trx, .tck, .trk, .vtk; .vtp is also used for surfaces.
std::optional<TractFormat> tractFormatToWrite(const std::filesystem::path& file);

/// Reads tracts of any format. The notes say which space and which half-voxel convention were used and why,
/// and how far the lines extend beyond the scan. Throws Error for files that are damaged or whose counts are
/// wrong, for points that are NaN or farther away than a kilometer, and for more than 2·10⁹ points or 2·10⁸
/// lines.
TractFile openTractFile(const std::filesystem::path& file, const Progress& progress = {});

/// Some of the lines of a large file, to be shown while the rest is being read: evenly spread for TRX, the
/// first ones for TCK and TRK. nullopt for small files and other formats. Throws as openTractFile() does.
std::optional<TractFile> someLinesOf(const std::filesystem::path& file, const Progress& progress = {});

/// What a format cannot store of these tracts, such as "1 number per line and 2 groups"; "" if nothing is
/// lost.
std::string lostIn(TractFormat format, const Tracts& tracts);

/// Where and how lines are written.
struct TractTarget {
  std::filesystem::path to;    ///< from AtomicFile or StagedFiles
  std::filesystem::path file;  ///< gives the format; errors name it
  /// The grid that the lines were computed on, which TRK and TRX store; without one they get a grid of 1 mm
  /// around the first lines.
  std::optional<Grid> scan = {};
  /// Positions in 16 bits, TRX only: errors up to 0.03 mm within 128 mm of the scanner's center.
  bool half = false;
};

/// Writes lines incrementally, so that a file may be larger than memory: TRX, TCK or TRK.
class TractWriter {
 public:
  TractWriter(const TractTarget& target, const Progress& progress);
  ~TractWriter();
  TractWriter(const TractWriter&) = delete;
  TractWriter& operator=(const TractWriter&) = delete;

  /// Writes lines. Each call must have the same perLine and perPoint; TRX keeps those in memory until
  /// close(), TCK omits them. Groups are ignored.
  void append(const Tracts& lines);
  /// Writes what is left. Must be called last.
  ///
  /// @param groups  of all lines, by their indices; only TRX stores them
  void close(std::span<const Tracts::Group> groups = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Writes tracts with these groups instead of their own.
void writeTracts(const Tracts& tracts, std::span<const Tracts::Group> groups, const TractTarget& target,
                 const Progress& progress);

// The functions below are for readers and writers.

inline constexpr std::uint64_t kAllPoints = ~std::uint64_t(0);
/// `most`: reading stops after this many points.
TractFile readTck(const std::filesystem::path& file, const Progress& progress,
                  std::uint64_t most = kAllPoints);
TractFile readTrk(const std::filesystem::path& file, const Progress& progress,
                  std::uint64_t most = kAllPoints);
TractFile readTrx(const std::filesystem::path& file, const Progress& progress);
/// Only the lines, every nth so that there are about `most` points; nullopt if they are compressed.
std::optional<TractFile> readSomeOfTrx(const std::filesystem::path& file, std::uint64_t most);
TractFile readTt(const std::filesystem::path& file, const Progress& progress);
/// Lines of VTK: XML and legacy (text or binary).
TractFile readVtpLines(const std::filesystem::path& file, const Progress& progress);
TractFile readVtkLines(const std::filesystem::path& file, const Progress& progress);
void writeVtpLines(const Tracts& tracts, const std::filesystem::path& to, const std::filesystem::path& file,
                   const Progress& progress);
void writeVtkLines(const Tracts& tracts, const std::filesystem::path& to, const std::filesystem::path& file,
                   const Progress& progress);

/// The writer of a format that is written incrementally.
class TractStream {
 public:
  virtual ~TractStream() = default;
  virtual void append(const Tracts& lines) = 0;
  virtual void close(std::span<const Tracts::Group> groups) = 0;
};
std::unique_ptr<TractStream> tckStream(const std::filesystem::path& to, const std::filesystem::path& file,
                                       const Progress& progress);
std::unique_ptr<TractStream> trkStream(const std::filesystem::path& to, const std::filesystem::path& file,
                                       std::optional<Grid> scan, const Progress& progress);
std::unique_ptr<TractStream> trxStream(const std::filesystem::path& to, const std::filesystem::path& file,
                                       std::optional<Grid> scan, bool half, const Progress& progress);

[[noreturn]] void failTracts(const std::filesystem::path& file, const std::string& why);
/// Throw Error for more than Sulcus can handle.
void requireTractPoints(std::uint64_t points, const std::filesystem::path& file);
void requireTractLines(std::uint64_t lines, const std::filesystem::path& file);
/// The display name of data or of a group; "name" or a number if it is empty or taken.
std::string dataName(std::string_view stored, std::span<const Tracts::Data> others);
/// Makes a grid from a header's numbers; nullopt if they do not define one.
std::optional<Grid> gridOfHeader(const Vec3<std::int64_t>& size, const Affine& worldFromVoxel);
/// A grid of 1 mm around the points of lines, for formats that require one.
Grid gridAround(const Tracts& lines);
/// Maps the points as they are stored to world coordinates.
void movePoints(Tracts& tracts, const Affine& worldFromStored);
/// Reads the next `count` numbers of one type.
void readFloats(ByteSource& source, std::span<float> to, bool swap);

}  // namespace sulcus::io
