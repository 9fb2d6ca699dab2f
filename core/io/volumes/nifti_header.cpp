#include "core/io/volumes/nifti_header.h"

#include "core/base/error.h"
#include "core/base/figure.h"
#include "core/base/sanitized.h"
#include "core/image/grids/assumed_sides.h"
#include "core/io/volumes/geometry.h"

#include <climits>
#include <cmath>
#include <map>
#include <string_view>

namespace sulcus::io {
namespace {

constexpr std::size_t kSize1 = 348, kSize2 = 540;

std::string number(double value) { return significantText(value, 4); }

void setScaling(NiftiHeader& header, double slope, double intercept) {
  header.scalingIsInfinite = std::isinf(slope) || std::isinf(intercept);
  if (std::isfinite(slope) && slope != 0 && !header.scalingIsInfinite)
    header.scaling = {slope, std::isfinite(intercept) ? intercept : 0};
}

/// Reads fields at their offsets.
struct Fields {
  std::span<const char> bytes;
  bool swap;
  template <class T>
  T get(std::size_t offset) const {
    return load<T>(bytes.data() + offset, swap);
  }
  /// Characters before the first 0.
  std::string text(std::size_t offset, std::size_t most) const {
    const std::string_view all(bytes.data() + offset, most);
    return sanitizedForDisplay(all.substr(0, all.find('\0')));
  }
};

/// Reads the quaternion, the offset and the matrix, which lie one after the other.
template <class T>
void readFrame(const Fields& f, std::size_t at, NiftiHeader& h) {
  const auto get = [&](int number) { return f.get<T>(at + std::size_t(number) * sizeof(T)); };
  for (int i = 0; i < 3; ++i) {
    h.quaternion[i] = get(i);
    h.offset[i] = get(3 + i);
    for (int j = 0; j < 3; ++j) h.sform.m[i][j] = get(6 + 4 * i + j);
    h.sform.t[i] = get(9 + 4 * i);
  }
}

NiftiHeader parse1(const Fields& f) {
  NiftiHeader h;
  const std::string_view magic(f.bytes.data() + 344, 3);
  h.singleFile = magic == "n+1";
  h.form = h.singleFile || magic == "ni1" ? NiftiForm::nifti1 : NiftiForm::analyze;
  h.swapped = f.swap;
  for (int i = 0; i < 8; ++i) {
    h.dim[i] = f.get<std::int16_t>(40 + 2 * i);
    h.pixdim[i] = f.get<float>(76 + 4 * i);
  }
  h.datatype = f.get<std::int16_t>(70);
  h.bitsPerVoxel = f.get<std::int16_t>(72);
  h.voxOffset = f.get<float>(108);
  if (h.form == NiftiForm::analyze) {
    setScaling(h, f.get<float>(112), 0);  // SPM stores a scale in a field that Analyze does not use
    for (int i = 0; i < 3; ++i) h.origin[i] = f.get<std::int16_t>(253 + 2 * i);
    return h;
  }
  h.intent = f.get<std::int16_t>(68);
  h.intentParameter = f.get<float>(56);
  h.intentName = f.text(328, 16);
  setScaling(h, f.get<float>(112), f.get<float>(116));
  h.units = f.get<std::uint8_t>(123);
  h.qformCode = f.get<std::int16_t>(252);
  h.sformCode = f.get<std::int16_t>(254);
  readFrame<float>(f, 256, h);
  return h;
}

NiftiHeader parse2(const Fields& f) {
  NiftiHeader h;
  h.form = NiftiForm::nifti2;
  h.swapped = f.swap;
  h.singleFile = std::string_view(f.bytes.data() + 4, 3) == "n+2";
  h.datatype = f.get<std::int16_t>(12);
  h.bitsPerVoxel = f.get<std::int16_t>(14);
  for (int i = 0; i < 8; ++i) {
    h.dim[i] = f.get<std::int64_t>(16 + 8 * i);
    h.pixdim[i] = f.get<double>(104 + 8 * i);
  }
  h.voxOffset = double(f.get<std::int64_t>(168));
  setScaling(h, f.get<double>(176), f.get<double>(184));
  h.qformCode = f.get<std::int32_t>(344);
  h.sformCode = f.get<std::int32_t>(348);
  readFrame<double>(f, 352, h);
  h.units = f.get<std::int32_t>(500);
  h.intent = f.get<std::int32_t>(504);
  h.intentParameter = f.get<double>(80);
  h.intentName = f.text(508, 16);
  return h;
}

/// Whether the header size field has this value in either byte order; `swapped` receives which.
bool sizeIs(std::span<const char> bytes, std::int32_t size, bool& swap) {
  if (bytes.size() < std::size_t(size)) return false;
  for (const bool other : {false, true})
    if (load<std::int32_t>(bytes.data(), other) == size) {
      swap = other;
      return true;
    }
  return false;
}

std::string codeName(int code) {
  constexpr const char* kNames[] = {"scanner", "aligned", "Talairach", "MNI", "template"};
  return code >= 1 && code <= 5 ? kNames[code - 1] : "unknown space";
}

/// The space of a code; an unknown code is taken as scanner space.
Space spaceOf(int code) { return code >= 1 && code <= 5 ? Space(code) : Space::scanner; }

/// The qform of METHOD 2 in nifti1.h.
Affine qformOf(const NiftiHeader& h, const Vec3<double>& spacing) {
  double b = h.quaternion[0], c = h.quaternion[1], d = h.quaternion[2];
  const double square = b * b + c * c + d * d;
  double a = 0;
  if (square > 1 - 1e-7) {  // a rotation by 180°, where a square root would amplify the rounding of float32
    const double scale = 1 / std::sqrt(square);
    b *= scale;
    c *= scale;
    d *= scale;
  } else {
    a = std::sqrt(1 - square);
  }
  Affine q;
  q.m = {{{a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
          {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)},
          {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - c * c - b * b}}};
  const double qfac = h.pixdim[0] < 0 ? -1 : 1;
  for (auto& row : q.m) {
    row[0] *= spacing.x;
    row[1] *= spacing.y;
    row[2] *= spacing.z * qfac;
  }
  q.t = {h.offset[0], h.offset[1], h.offset[2]};
  return q;
}

Affine fallback(const NiftiHeader& h, const Vec3<int>& size, const Vec3<double>& spacing, Notes& notes) {
  // Neither NIfTI with the codes 0/0 nor Analyze defines left and right. FSL, SPM and nibabel assume
  // radiological storage for such files; so does Sulcus, with a note.
  const bool analyze = h.form == NiftiForm::analyze;
  const char* const form = analyze ? "Analyze files hold no orientation"
                                   : "The header holds no orientation (qform and sform code 0)";
  bool originSet = analyze;
  for (int i = 0; i < 3; ++i) originSet = originSet && h.origin[i] > 0 && h.origin[i] <= size[i];
  Vec3<double> center;
  for (int i = 0; i < 3; ++i) center[i] = originSet ? h.origin[i] - 1.0 : 0.5 * (size[i] - 1);
  notes.push_back(assumedSides(
      std::string(form) +
      ": x taken to the patient's left (radiological storage, as FSL, SPM and nibabel do), origin " +
      (originSet ? "from the header" : "in the middle") + "."));
  return assumedAffine(spacing, center);
}

}  // namespace

Affine assumedAffine(const Vec3<double>& spacing, const Vec3<double>& center) {
  Affine affine;
  affine.m = {{{-spacing.x, 0, 0}, {0, spacing.y, 0}, {0, 0, spacing.z}}};
  affine.t = -affine.vector(center);
  return affine;
}

bool looksLikeNifti(std::span<const char> start) {
  bool swap = false;
  if (sizeIs(start, kSize2, swap)) {
    const std::string_view magic(start.data() + 4, 3);
    return magic == "n+2" || magic == "ni2";
  }
  if (!sizeIs(start, kSize1, swap)) return false;
  const auto dims = load<std::int16_t>(start.data() + 40, swap);
  return dims >= 1 && dims <= 7;
}

NiftiHeader parseNiftiHeader(std::span<const char> bytes, const std::filesystem::path& file) {
  bool swap = false;
  NiftiHeader header;
  if (sizeIs(bytes, kSize2, swap))
    header = parse2({bytes, swap});
  else if (sizeIs(bytes, kSize1, swap))
    header = parse1({bytes, swap});
  else
    throw Error(quoted(file) + " is not a NIfTI or Analyze header", "its first number is neither 348 nor 540",
                "check that it is the right file");
  if (header.dim[0] < 1 || header.dim[0] > 7)
    throw Error(quoted(file) + " has " + std::to_string(header.dim[0]) + " dimensions", "NIfTI allows 1 to 7",
                "the header is damaged; convert the scan again");
  for (int i = 1; i <= header.dim[0]; ++i)
    if (header.dim[i] < 1 || header.dim[i] > INT_MAX)
      throw Error(quoted(file) + " says it has " + std::to_string(header.dim[i]) +
                      " voxels along dimension " + std::to_string(i),
                  "that is not a valid size", "the header is damaged; convert the scan again");
  for (int i = int(header.dim[0]) + 1; i < 8; ++i) header.dim[i] = 1;
  return header;
}

namespace {

/// The sizes of voxels in units of the header.
Vec3<double> spacingOf(const NiftiHeader& h, const std::filesystem::path& file, Notes& notes) {
  Vec3<double> spacing;
  for (int i = 0; i < 3; ++i) {
    spacing[i] = std::abs(h.pixdim[i + 1]);
    if (!std::isfinite(spacing[i]))
      throw Error(quoted(file) + " has no voxel size along dimension " + std::to_string(i + 1),
                  "the header holds " + number(h.pixdim[i + 1]),
                  "the header is damaged; convert the scan again");
    if (spacing[i] != 0) continue;
    spacing[i] = 1;
    if (h.dim[i + 1] > 1)
      notes.push_back("The header holds no voxel size along dimension " + std::to_string(i + 1) +
                      ": 1 unit assumed.");
  }
  if (std::any_of(h.pixdim.begin() + 1, h.pixdim.begin() + 4, [](double size) { return size < 0; }))
    notes.emplace_back(
        "The header holds negative voxel sizes, which have no meaning: taken without their sign, as FSL "
        "does.");
  return spacing;
}

void noteSizesBesideSform(const NiftiHeader& h, const Vec3<double>& spacing, Notes& notes) {
  for (int i = 0; i < 3; ++i) {
    const double side = norm(h.sform.column(i));
    if (h.dim[i + 1] == 1 || std::abs(side - spacing[i]) <= 0.01 * std::fmax(side, spacing[i])) continue;
    notes.push_back("The voxel sizes of the header (pixdim) disagree with the sform, which was taken: " +
                    number(spacing[i]) + " and " + number(side) + " along dimension " +
                    std::to_string(i + 1) + ".");
    return;
  }
}

/// Sets orientation and space from the sform, else the qform, else as programs do without either.
///
/// @param scale  to mm from the units of the header
void orient(const NiftiHeader& h, const Vec3<double>& spacing, const Affine& scale, Grid& grid,
            Notes& notes) {
  const bool sformSet = h.sformCode > 0, qformSet = h.qformCode > 0;
  const Affine qform = qformOf(h, spacing);
  const bool sformUsable = sformSet && usable(scale * h.sform),
             qformUsable = qformSet && usable(scale * qform);
  if (sformSet && !sformUsable)
    notes.push_back("The sform cannot be used: its axes are singular, not finite or of no physical size.");
  if (qformSet && !qformUsable)
    notes.push_back("The qform cannot be used: it is not finite or of no physical size.");
  if (!sformUsable && !qformUsable) {
    grid.worldFromVoxel = fallback(h, grid.size, spacing, notes);
    grid.space = Space::assumed;
    return;
  }
  const int code = int(sformUsable ? h.sformCode : h.qformCode);
  grid.worldFromVoxel = sformUsable ? h.sform : qform;
  grid.space = spaceOf(code);
  notes.push_back(std::string("Orientation from the ") + (sformUsable ? "sform" : "qform") + " (code " +
                  std::to_string(code) + ", " + codeName(code) + ").");
  if (!sformUsable) return;
  noteSizesBesideSform(h, spacing, notes);
  const double shift = qformUsable ? largestShift(grid.size, h.sform, qform) : 0;
  if (shift > 0.01 * std::fmin(spacing.x, std::fmin(spacing.y, spacing.z)))
    notes.push_back("The qform (code " + std::to_string(h.qformCode) + ", " + codeName(h.qformCode) +
                    ") disagrees: it would move a corner by " + number(shift * scale.m[0][0]) + " mm.");
}

}  // namespace

Grid niftiGrid(const NiftiHeader& h, const std::filesystem::path& file, Notes& notes) {
  Grid grid;
  for (int i = 0; i < 3; ++i) grid.size[i] = int(h.dim[i + 1]);
  const Vec3<double> spacing = spacingOf(h, file, notes);
  const double millimeters = niftiMillimeters(h.units);
  Affine scale;
  for (int i = 0; i < 3; ++i) scale.m[i][i] = millimeters;
  orient(h, spacing, scale, grid, notes);
  grid.worldFromVoxel = scale * grid.worldFromVoxel;
  if (!usable(grid.worldFromVoxel))
    throw Error(quoted(file) + " has no usable voxel size",
                "the header holds " + number(spacing.x) + ", " + number(spacing.y) + " and " +
                    number(spacing.z) + "; a voxel has between a nanometre and a metre",
                "the header is damaged; convert the scan again");
  if (millimeters != 1) notes.push_back("The header is in units of " + number(millimeters) + " mm.");
  noteShear(grid.worldFromVoxel, notes);
  notes.push_back(handednessNote(grid));
  return grid;
}

namespace {

NiftiNumbers niftiNumbers(int datatype, const std::filesystem::path& file) {
  using Kind = NiftiNumbers::Kind;
  static const std::map<int, NiftiNumbers> kTypes{{2, {SampleType::u8}},
                                                  {4, {SampleType::i16}},
                                                  {8, {SampleType::i32}},
                                                  {16, {SampleType::f32}},
                                                  {64, {SampleType::f64}},
                                                  {256, {SampleType::i8}},
                                                  {512, {SampleType::u16}},
                                                  {768, {SampleType::u32}},
                                                  {1024, {SampleType::i64}},
                                                  {1280, {SampleType::u64}},
                                                  {32, {SampleType::f32, 2, Kind::complex}},
                                                  {1792, {SampleType::f64, 2, Kind::complex}},
                                                  {128, {SampleType::u8, 3, Kind::colors}},
                                                  {2304, {SampleType::u8, 4, Kind::colors}}};
  if (const auto found = kTypes.find(datatype); found != kTypes.end()) return found->second;
  if (datatype == 1536 || datatype == 2048)
    throw Error(quoted(file) + " holds 128-bit floating point numbers", "they cannot be read here",
                "save it with 32 or 64 bits for each number");
  throw Error(quoted(file) + " holds numbers of an unknown type (" + std::to_string(datatype) + ")",
              "their size is not known", "the header is damaged; convert the scan again");
}

}  // namespace

NiftiNumbers niftiNumbers(const NiftiHeader& header, const std::filesystem::path& file) {
  const NiftiNumbers numbers = niftiNumbers(header.datatype, file);
  const int bits = 8 * sampleBytes(numbers.type) * numbers.each;
  if (header.bitsPerVoxel != 0 && header.bitsPerVoxel != bits)
    throw Error(quoted(file) + " says that a number has " + std::to_string(header.bitsPerVoxel) +
                    " bits and is of a type of " + std::to_string(bits),
                "read with the wrong type, it would be noise",
                "the header is damaged; convert the scan again");
  return numbers;
}

double niftiMillimeters(int units) {
  switch (units & 7) {
    case 1:
      return 1000;
    case 3:
      return 0.001;
    default:
      return 1;
  }
}

double niftiSeconds(int units) {
  switch (units & 56) {
    case 0:
    case 8:
      return 1;
    case 16:
      return 1e-3;
    case 24:
      return 1e-6;
    default:
      return 0;
  }
}

}  // namespace sulcus::io
