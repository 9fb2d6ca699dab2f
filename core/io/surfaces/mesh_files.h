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

// One reader and one writer per format of surfaces. They are written here because none of the linked
// libraries checks the counts in a header before allocating and indexing by them, states the coordinate
// space, or knows GIFTI. Readers take the bytes of a whole file and `name`, the file's name in messages, and
// throw Error. Nothing is allocated for more points and triangles than the bytes can hold.
namespace sulcus::io {

enum class MeshFormat { vtp, ply, stl, obj, gifti, freeSurfer };
/// The axes that a file states.
enum class MeshSpace { unstated, ras, lps };

/// The surface as returned by a reader, for finishedMesh() to check.
struct RawMesh {
  Mesh mesh;  ///< as stored, polygons split into triangles; indices may be out of range
  MeshSpace space = MeshSpace::unstated;
  Notes notes;
};

/// The format of a file by its first bytes, or by its name if the format has no signature or the file does
/// not exist. Throws Error for a compressed surface.
std::optional<MeshFormat> meshFormatOf(const std::filesystem::path& file);
/// The format of a file to be written, by its extension.
std::optional<MeshFormat> meshFormatToWrite(const std::filesystem::path& file);

RawMesh readStl(std::string_view bytes, const std::string& name);
RawMesh readPly(std::string_view bytes, const std::string& name);
RawMesh readObj(std::string_view bytes, const std::string& name);
RawMesh readVtp(std::string_view bytes, const std::string& name);
/// Points stored in another space are transformed to scanner space by the matrix in the file.
RawMesh readGifti(std::string_view bytes, const std::string& name);

/// Adds the numbers or labels for the points of a surface from a GIFTI file without its own surface
/// (.shape.gii, .func.gii, .label.gii).
void addGiftiValues(Mesh& mesh, std::string_view bytes, const std::string& name);
/// Whether a file that begins with `start` is a FreeSurfer surface.
bool looksLikeFreeSurfer(std::string_view start);
/// The points are transformed to scanner space if the end of the file says how.
RawMesh readFreeSurfer(std::string_view bytes, const std::string& name);
/// The position of FreeSurfer's volume: the directions of its columns, rows and slices and its center,
/// scanner axes, mm.
struct VolumeGeometry {
  Vec3<double> x{-1, 0, 0}, y{0, 0, -1}, z{0, 1, 0}, middle;
};
/// Transforms points from FreeSurfer's surface frame to that of the scanner. The surface frame has x against
/// the columns of the volume, z against its rows and y along its slices, with the origin at the volume's
/// center.
void surfaceFrameToScanner(RawMesh& raw, const VolumeGeometry& volume);
/// Numbers for the points of a FreeSurfer surface, such as lh.curv; throws Error if their count is not
/// `points`.
std::vector<float> readFreeSurferValues(std::string_view bytes, std::size_t points, const std::string& name);
/// Whether bytes may be labels of the points of a surface in FreeSurfer's format (lh.aparc.annot).
bool looksLikeAnnotation(std::string_view bytes);
/// Adds such labels as scalars called `key`, with their names and colors; NaN for a point whose color is not
/// in the file's table. Throws Error if the number of points differs.
void addAnnotation(Mesh& mesh, std::string_view bytes, const std::string& key, const std::string& name);
/// The surface that FreeSurfer values or labels (lh.curv, lh.aparc.annot) belong to: lh.white or another one
/// of the hemisphere, beside them or in the folder `surf` beside theirs. Empty if there is none, and for
/// other files.
std::filesystem::path surfaceOfValues(const std::filesystem::path& file);
/// Adds thickness, curvature, parcellations and similar files by name, from the folder of a FreeSurfer
/// surface or the folder `label` beside it; errors are added to `notes`.
void addValuesBeside(Mesh& mesh, const std::filesystem::path& file, Notes& notes);

/// The content of a file in mm, RAS+, which states its space.
std::string meshBytes(const Mesh& mesh, MeshFormat format);
std::string stlBytes(const Mesh& mesh);
std::string plyBytes(const Mesh& mesh);
std::string objBytes(const Mesh& mesh);
std::string vtpBytes(const Mesh& mesh);
std::string giftiBytes(const Mesh& mesh);

/// The surface in mm, RAS+. Triangles with a repeated corner are left out, with a note. Throws Error unless
/// there are triangles, every index refers to a point and every coordinate is within a kilometer.
RawMesh finishedMesh(RawMesh raw, const std::string& name);

// The functions below are for readers.

/// Longest name of a scalar; longer ones slow windows down and are shortened.
inline constexpr std::size_t kLongestName = 200;  // bytes

/// A word of a file for messages, such as "'vertex'": printable and shortened.
std::string quotedWord(std::string_view word);
[[noreturn]] void failMesh(const std::string& name, const std::string& why);
/// Throw Error if there are more than in any surface that Sulcus can handle.
void requirePoints(std::uint64_t points, const std::string& name);
void requireTriangles(std::uint64_t triangles, const std::string& name);
/// Adds a polygon as a fan of triangles around its first corner. Throws Error for indices that no mesh can
/// have.
void addPolygon(Mesh& mesh, std::span<const std::int64_t> corners, const std::string& name);
/// Adds a triangle strip: every three consecutive corners form a triangle, and every second one is reversed.
void addStrip(Mesh& mesh, std::span<const std::int64_t> corners, const std::string& name);
/// The space in a header or comment that contains "SPACE=LPS" or "SPACE=RAS", as 3D Slicer writes it.
MeshSpace spaceIn(std::string_view text);
inline constexpr const char* kSpaceComment = "Sulcus. Millimetres. SPACE=RAS";

/// Reads words separated by white space, sequentially.
class Words {
 public:
  Words(std::string_view text, const std::string& name) : rest_(text), name_(&name) {}

  /// The next word, empty at the end.
  std::string_view next();
  /// Throws Error if the next word is not a number.
  double number();
  std::int64_t wholeNumber();
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  const std::string* name_;
};

/// Removes the first line from `text` and returns it without its line end.
std::string_view takeLine(std::string_view& text);
/// Converts to float; a value that is not finite or too large for a float gives one that is not finite.
float toFloat(double value);

}  // namespace sulcus::io
