#pragma once

#include "core/image/mesh.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// One reader and one writer per format of surfaces, written here: none of the libraries at hand checks what a
// header announces before it allocates and indexes by it, states the coordinate space, or knows GIFTI.
// Readers take a whole file's bytes and `name`, the file's in messages; they throw Error. Numbers of points
// and indices are announced by files: nothing is allocated for more than the bytes can hold.
namespace sulcus::io {

enum class MeshFormat { vtp, ply, stl, obj, gifti };
/// Axes that a file states: RAS+, LPS+ or none.
enum class MeshSpace { unstated, ras, lps };

/// What a reader hands over, before finishedMesh().
struct RawMesh {
  Mesh mesh;  ///< as stored, any polygons cut into triangles; indices may be out of range
  MeshSpace space = MeshSpace::unstated;
  std::vector<std::string> notes;
};

/// By what the file starts with; by its name where a format has no mark of its own or it is not there. Throws
/// Error for a compressed one.
std::optional<MeshFormat> meshFormatOf(const std::filesystem::path& file);
/// By the extension of a file to be written.
std::optional<MeshFormat> meshFormatToWrite(const std::filesystem::path& file);

RawMesh readStl(std::string_view bytes, const std::string& name);
RawMesh readPly(std::string_view bytes, const std::string& name);
RawMesh readObj(std::string_view bytes, const std::string& name);
RawMesh readVtp(std::string_view bytes, const std::string& name);
/// In scanner space, by its matrix where that is not the space it is stored in.
RawMesh readGifti(std::string_view bytes, const std::string& name);

/// Whole files; RAS+ mm, and they say so.
std::string meshBytes(const Mesh& mesh, MeshFormat format);
std::string stlBytes(const Mesh& mesh);
std::string plyBytes(const Mesh& mesh);
std::string objBytes(const Mesh& mesh);
std::string vtpBytes(const Mesh& mesh);
std::string giftiBytes(const Mesh& mesh);

/// In RAS+ mm; triangles without area of their own (a corner twice) are left out, with a note. Throws Error
/// unless every index is a point's, every coordinate within a kilometre and there are triangles.
RawMesh finishedMesh(RawMesh raw, const std::string& name);

/// Points that are exactly the same become one, in the order of their first; scalars are those of the first.
Mesh welded(const Mesh& mesh);

// For readers.

/// "'vertex'": how messages quote a file's text, cut short, without what cannot be printed.
std::string quotedWord(std::string_view word);
/// "1 polygon", "2 polygons".
std::string counted(std::size_t count, const char* noun);
[[noreturn]] void failMesh(const std::string& name, const std::string& why);
/// Throws Error when there are more than any surface that Sulcus works with has.
void requirePoints(std::uint64_t points, const std::string& name);
void requireTriangles(std::uint64_t triangles, const std::string& name);
/// Cuts a polygon into triangles around its first corner. Throws Error for indices that no mesh can have.
void addPolygon(Mesh& mesh, std::span<const std::int64_t> corners, const std::string& name);
/// Of a strip every three that follow one another are a triangle, each second one turned round.
void addStrip(Mesh& mesh, std::span<const std::int64_t> corners, const std::string& name);
/// "SPACE=LPS" or "SPACE=RAS" somewhere in a header or comment, as 3D Slicer writes it.
MeshSpace spaceIn(std::string_view text);
inline constexpr const char* kSpaceComment = "Sulcus. Millimetres. SPACE=RAS";

/// Words parted by white space, from front to back.
class Words {
 public:
  Words(std::string_view text, const std::string& name) : rest_(text), name_(&name) {}

  /// Empty at the end.
  std::string_view next();
  /// Throws Error when the next word is no number.
  double number();
  std::int64_t wholeNumber();
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  const std::string* name_;
};

/// One line without its end; `text` becomes what follows it.
std::string_view takeLine(std::string_view& text);
/// Not finite where it is none or too large for a float.
float toFloat(double value);

}  // namespace sulcus::io
