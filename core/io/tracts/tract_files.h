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
// more lines and points than the bytes of a file can hold.
namespace sulcus::io {

enum class TractFormat { tck, trk, trx, vtp, vtk, tt };

/// Lines as a file holds them, RAS+ mm.
struct TractFile {
  Tracts tracts;
  std::optional<Grid> scan;  ///< the grid of the scan that they were made on, where the file says it
  Notes notes;               ///< the orientation card: which space was taken and why
};

/// The format of a file by its first bytes; nullopt for files that hold no tracts. Of PolyData of VTK those
/// are tracts that have lines and no polygons.
std::optional<TractFormat> tractFormatOf(const std::filesystem::path& file);
/// The format of a file to be written, by its extension: .trx, .tck, .trk, .vtk; .vtp is of surfaces, too.
std::optional<TractFormat> tractFormatToWrite(const std::filesystem::path& file);

/// Reads tracts of any format. The notes say which space and which rule of half a voxel were taken and why,
/// and how far the lines lie outside of the scan. Throws Error for files that are damaged, that announce
/// other numbers than they have, whose points are NaN or further away than a kilometre, and for more than
/// 2·10⁹ points or 2·10⁸ lines.
TractFile openTractFile(const std::filesystem::path& file, const Progress& progress = {});

/// Some of the lines of a large file, to be shown while the others are read: of TRX spread over all of it, of
/// TCK and TRK the first. nullopt for files that are small, and for other formats. Throws as openTractFile()
/// does.
std::optional<TractFile> someLinesOf(const std::filesystem::path& file, const Progress& progress = {});

/// What a format cannot hold of these tracts, such as "1 number per line and 2 groups"; "" for nothing.
std::string lostIn(TractFormat format, const Tracts& tracts);

/// Writes lines as they come, so that a file may be larger than the memory: TRX, TCK or TRK.
class TractWriter {
 public:
  /// Writes the path `to`, which AtomicFile or StagedFiles gives, in the format of `file`, which errors name.
  ///
  /// @param scan  the grid that the lines were made on, which TRK and TRX keep; without one they get a grid
  /// of
  ///              1 mm around the first lines
  /// @param half  positions of 16 bits, TRX alone: off by up to 0.03 mm within 128 mm of the scanner's middle
  TractWriter(const std::filesystem::path& to, const std::filesystem::path& file, std::optional<Grid> scan,
              bool half, const Progress& progress);
  ~TractWriter();
  TractWriter(const TractWriter&) = delete;
  TractWriter& operator=(const TractWriter&) = delete;

  /// Writes lines. Each call brings the same perLine and perPoint; TRX keeps those in memory until close(),
  /// TCK leaves them out. Groups are passed over.
  void append(const Tracts& lines);
  /// Writes what is left. To be called last.
  ///
  /// @param groups  of all lines by their numbers; TRX alone keeps them
  void close(std::span<const Tracts::Group> groups = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Writes tracts in the format of `file`, with these groups instead of their own; see TractWriter for the
/// other parameters.
void writeTracts(const Tracts& tracts, std::span<const Tracts::Group> groups, const std::optional<Grid>& scan,
                 const std::filesystem::path& to, const std::filesystem::path& file, bool half,
                 const Progress& progress);

// The functions below are for readers and writers.

inline constexpr std::uint64_t kAllPoints = ~std::uint64_t(0);
/// `most`: after so many points the rest is left unread.
TractFile readTck(const std::filesystem::path& file, const Progress& progress,
                  std::uint64_t most = kAllPoints);
TractFile readTrk(const std::filesystem::path& file, const Progress& progress,
                  std::uint64_t most = kAllPoints);
TractFile readTrx(const std::filesystem::path& file, const Progress& progress);
/// Lines alone, 1 in so many that there are about `most` points; nullopt where they are packed.
std::optional<TractFile> readSomeOfTrx(const std::filesystem::path& file, std::uint64_t most);
TractFile readTt(const std::filesystem::path& file, const Progress& progress);
/// Lines of VTK: XML and legacy (text or binary).
TractFile readVtpLines(const std::filesystem::path& file, const Progress& progress);
TractFile readVtkLines(const std::filesystem::path& file, const Progress& progress);
void writeVtpLines(const Tracts& tracts, const std::filesystem::path& to, const std::filesystem::path& file,
                   const Progress& progress);
void writeVtkLines(const Tracts& tracts, const std::filesystem::path& to, const std::filesystem::path& file,
                   const Progress& progress);

/// The writer of a format that takes lines as they come.
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
/// Throw Error for more than are worked with.
void requireTractPoints(std::uint64_t points, const std::filesystem::path& file);
void requireTractLines(std::uint64_t lines, const std::filesystem::path& file);
/// The name of data or of a group as it is shown; "name" or a number for one that is empty or taken.
std::string dataName(std::string_view stored, std::span<const Tracts::Data> others);
/// Makes a grid of a header's numbers; nullopt where they are none.
std::optional<Grid> gridOfHeader(const Vec3<std::int64_t>& size, const Affine& worldFromVoxel);
/// A grid of 1 mm around the points of lines, for formats that must have one.
Grid gridAround(const Tracts& lines);
/// Reads the next `count` numbers of one type.
void readFloats(ByteSource& source, std::span<float> to, bool swap);

}  // namespace sulcus::io
