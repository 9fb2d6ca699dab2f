#pragma once

#include "core/base/note.h"
#include "core/image/mesh.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// One reader and one writer per format of surfaces. They are our own, since none of the linked libraries
// checks the numbers that a header announces before it allocates and indexes by them, states the coordinate
// space, or knows GIFTI. Readers take the bytes of a whole file and `name`, the file's name in messages, and
// throw Error. Nothing is allocated for more points and triangles than the bytes can hold.
namespace sulcus::io {

enum class MeshFormat { vtp, ply, stl, obj, gifti, freeSurfer };
/// The axes that a file states.
enum class MeshSpace { unstated, ras, lps };

/// The surface that a reader returns and finishedMesh() checks.
struct RawMesh {
  Mesh mesh;  ///< as stored, polygons cut into triangles; indices may be out of range
  MeshSpace space = MeshSpace::unstated;
  Notes notes;
};

/// The format of a file by its first bytes, or by its name when the format has no mark or the file does not
/// exist. Throws Error for a compressed surface.
std::optional<MeshFormat> meshFormatOf(const std::filesystem::path& file);
/// The format of a file to be written, by its extension.
std::optional<MeshFormat> meshFormatToWrite(const std::filesystem::path& file);

RawMesh readStl(std::string_view bytes, const std::string& name);
RawMesh readPly(std::string_view bytes, const std::string& name);
RawMesh readObj(std::string_view bytes, const std::string& name);
RawMesh readVtp(std::string_view bytes, const std::string& name);
/// The points are moved to scanner space by the matrix in the file when they are stored in another space.
RawMesh readGifti(std::string_view bytes, const std::string& name);

/// Adds the numbers or labels for the points of a surface that a GIFTI file (.shape.gii, .func.gii,
/// .label.gii) without a surface of its own holds.
void addGiftiValues(Mesh& mesh, std::string_view bytes, const std::string& name);
/// Whether a file that begins so is a surface of FreeSurfer.
bool looksLikeFreeSurfer(std::string_view start);
/// The points are moved to scanner space where the end of the file says how.
RawMesh readFreeSurfer(std::string_view bytes, const std::string& name);
/// Where FreeSurfer's volume lies: the directions of its columns, rows and slices and its middle, scanner
/// axes, mm.
struct VolumeGeometry {
  Vec3<double> x{-1, 0, 0}, y{0, 0, -1}, z{0, 1, 0}, middle;
};
/// Moves points from FreeSurfer's frame of the surface to that of the scanner. The frame has x against the
/// columns of the volume, z against its rows and y along its slices, from the volume's middle.
void surfaceFrameToScanner(RawMesh& raw, const VolumeGeometry& volume);
/// Numbers for the points of a surface of FreeSurfer, such as lh.curv; throws Error for another number of
/// them.
std::vector<float> readFreeSurferValues(std::string_view bytes, std::size_t points, const std::string& name);
/// Whether bytes may be labels of the points of a surface as FreeSurfer writes them (lh.aparc.annot).
bool looksLikeAnnotation(std::string_view bytes);
/// Adds such labels as scalars called `key`, with their names and colors; NaN where a point has a color that
/// the table of the file does not know. Throws Error for another number of points.
void addAnnotation(Mesh& mesh, std::string_view bytes, const std::string& key, const std::string& name);
/// The surface that values or labels of FreeSurfer (lh.curv, lh.aparc.annot) belong to: lh.white or another
/// of the hemisphere, beside them or in the folder `surf` beside theirs. Empty without one, and for other
/// files.
std::filesystem::path surfaceOfValues(const std::filesystem::path& file);
/// Adds thickness, curvature, parcellations and similar files beside a surface of FreeSurfer, or in the
/// folder `label` beside its own, by their names; `notes` get what is wrong with one.
void addValuesBeside(Mesh& mesh, const std::filesystem::path& file, Notes& notes);

/// The bytes of a whole file in mm, RAS+, which states its space.
std::string meshBytes(const Mesh& mesh, MeshFormat format);
std::string stlBytes(const Mesh& mesh);
std::string plyBytes(const Mesh& mesh);
std::string objBytes(const Mesh& mesh);
std::string vtpBytes(const Mesh& mesh);
std::string giftiBytes(const Mesh& mesh);

/// The surface in mm, RAS+. Triangles with the same corner twice are left out, with a note. Throws Error
/// unless there are triangles, every index is that of a point and every coordinate is within a kilometre.
RawMesh finishedMesh(RawMesh raw, const std::string& name);

// The functions below are for readers.

/// Of a scalar's name; what is longer makes windows slow and is shortened.
inline constexpr std::size_t kLongestName = 200;  // bytes

/// A word of a file as messages quote it, such as "'vertex'": printable and cut short.
std::string quotedWord(std::string_view word);
[[noreturn]] void failMesh(const std::string& name, const std::string& why);
/// Throw Error when there are more than in any surface that Sulcus works with.
void requirePoints(std::uint64_t points, const std::string& name);
void requireTriangles(std::uint64_t triangles, const std::string& name);
/// Adds a polygon as triangles around its first corner. Throws Error for indices that no mesh can have.
void addPolygon(Mesh& mesh, std::span<const std::int64_t> corners, const std::string& name);
/// Adds a strip, in which every three consecutive corners are a triangle and every second triangle is
/// reversed.
void addStrip(Mesh& mesh, std::span<const std::int64_t> corners, const std::string& name);
/// The space in a header or comment that contains "SPACE=LPS" or "SPACE=RAS", as 3D Slicer writes it.
MeshSpace spaceIn(std::string_view text);
inline constexpr const char* kSpaceComment = "Sulcus. Millimetres. SPACE=RAS";

/// Reads words that are separated by white space from front to back.
class Words {
 public:
  Words(std::string_view text, const std::string& name) : rest_(text), name_(&name) {}

  /// The next word, empty at the end.
  std::string_view next();
  /// Throws Error when the next word is no number.
  double number();
  std::int64_t wholeNumber();
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  const std::string* name_;
};

/// Takes the first line off `text` and returns it without its end.
std::string_view takeLine(std::string_view& text);
/// A float that is not finite when the value is not or is too large for a float.
float toFloat(double value);

}  // namespace sulcus::io
