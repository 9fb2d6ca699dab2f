#include "core/io/surfaces/mesh_files.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/io/volumes/samples.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace sulcus::io {
namespace {

// About ten times the largest surface made from a scan; larger numbers indicate damage.
constexpr std::uint64_t kMostPoints = 20'000'000, kMostTriangles = 40'000'000;
constexpr float kFarthest = 1e6f;  // largest coordinate, mm

bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void requireFew(std::uint64_t count, std::uint64_t most, const char* what, const std::string& name) {
  if (count > most)
    throw Error(name + " declares " + std::to_string(count) + " " + what,
                "Sulcus supports no surface with more than " + std::to_string(most),
                "check that it is the right file and complete, or simplify the surface");
}

std::int32_t asIndex(std::int64_t index, const std::string& name) {
  if (index < 0 || index >= std::int64_t(kMostPoints))
    failMesh(name, "a triangle refers to point " + std::to_string(index));
  return std::int32_t(index);
}

std::string described(const Vec3<float>& p) {
  return "(" + numberText(p.x) + ", " + numberText(p.y) + ", " + numberText(p.z) + ")";
}

}  // namespace

std::string quotedWord(std::string_view word) {
  std::string text = "'";
  for (const char c : word.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
  return text.append("'");
}

void failMesh(const std::string& name, const std::string& why) {
  throw Error(name + " is damaged", why, "copy or download it again");
}

void requirePoints(std::uint64_t points, const std::string& name) {
  requireFew(points, kMostPoints, "points", name);
}
void requireTriangles(std::uint64_t triangles, const std::string& name) {
  requireFew(triangles, kMostTriangles, "triangles", name);
}

void addPolygon(Mesh& mesh, std::span<const std::int64_t> corners, const std::string& name) {
  requireTriangles(mesh.triangles.size() + corners.size(), name);
  for (std::size_t i = 2; i < corners.size(); ++i)
    mesh.triangles.push_back(
        {asIndex(corners[0], name), asIndex(corners[i - 1], name), asIndex(corners[i], name)});
}

void addStrip(Mesh& mesh, std::span<const std::int64_t> corners, const std::string& name) {
  requireTriangles(mesh.triangles.size() + corners.size(), name);
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const std::size_t odd = i % 2;
    mesh.triangles.push_back({asIndex(corners[i - 2 + odd], name), asIndex(corners[i - 1 - odd], name),
                              asIndex(corners[i], name)});
  }
}

MeshSpace spaceIn(std::string_view text) {
  if (text.find("SPACE=LPS") != text.npos) return MeshSpace::lps;
  return text.find("SPACE=RAS") != text.npos ? MeshSpace::ras : MeshSpace::unstated;
}

std::string_view Words::next() {
  std::size_t from = 0;
  while (from < rest_.size() && isSpace(rest_[from])) ++from;
  std::size_t to = from;
  while (to < rest_.size() && !isSpace(rest_[to])) ++to;
  const std::string_view word = rest_.substr(from, to - from);
  rest_.remove_prefix(to);
  return word;
}

double Words::number() {
  const std::string_view word = next();
  const auto value = numberIn(word);
  if (!value)
    failMesh(*name_,
             word.empty() ? "it ends where a number should follow" : quotedWord(word) + " is not a number");
  return *value;
}

std::int64_t Words::wholeNumber() {
  const double value = number();
  if (!(std::abs(value) < 1e15) || value != std::floor(value))
    failMesh(*name_, numberText(value) + " is not an integer");
  return std::int64_t(value);
}

std::string_view takeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  if (text.starts_with("\r\n"))
    text.remove_prefix(2);
  else if (!text.empty())
    text.remove_prefix(1);
  return line;
}

float toFloat(double value) { return detail::toTarget<float>(value); }

RawMesh finishedMesh(RawMesh raw, const std::string& name) {
  Mesh& mesh = raw.mesh;
  if (mesh.triangles.empty())
    throw Error(name + " holds no triangles",
                mesh.points.empty() ? "it has no points" : "points and lines alone are not a surface",
                "choose a file with the surface itself");
  for (const auto& triangle : mesh.triangles)
    for (const std::int32_t corner : triangle)
      if (corner < 0 || std::size_t(corner) >= mesh.points.size())
        failMesh(name, "a triangle refers to point " + std::to_string(corner) + ", but there are only " +
                           std::to_string(mesh.points.size()) + " (from 0)");
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    Vec3<float>& p = mesh.points[i];
    if (!(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) <= kFarthest) || std::isnan(p.y) ||
        std::isnan(p.z))
      throw Error(name + " has an invalid point",
                  "point " + std::to_string(i) + " is at " + described(p) + " mm",
                  "export the surface again, in mm");
    if (raw.space == MeshSpace::lps) p.x = 0 - p.x, p.y = 0 - p.y;  // avoids −0
  }
  const auto flat = std::erase_if(mesh.triangles,
                                  [](const auto& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
  if (flat > 0) raw.notes.push_back("Left out " + counted(flat, "triangle") + " with the same corner twice.");
  if (mesh.triangles.empty())
    throw Error(name + " holds no triangles", "every one has the same corner twice",
                "export the surface again");
  return raw;
}

}  // namespace sulcus::io
