#include "core/io/dicom_mosaic.h"

#include "core/io/samples.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace sulcus::io {
namespace {

/// Reads little-endian numbers and texts from front to back and stops at the end.
class CsaCursor {
 public:
  explicit CsaCursor(std::string_view bytes) : left_(bytes) {}
  std::string_view take(std::size_t count) {
    whole_ = whole_ && count <= left_.size();
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(taken.size());
    return taken;
  }
  std::uint32_t number() {
    const std::string_view bytes = take(sizeof(std::uint32_t));
    return whole_ ? load<std::uint32_t>(bytes.data(), false) : 0;
  }
  bool whole() const { return whole_; }

 private:
  std::string_view left_;
  bool whole_ = true;
};

std::string_view upToZero(std::string_view text) { return text.substr(0, text.find('\0')); }

[[noreturn]] void failMosaic(const std::filesystem::path& file, const std::string& why) {
  failDicom(file, "it is a Siemens mosaic " + why, "convert it to NIfTI, for example with dcm2niix");
}

}  // namespace

const std::vector<double>& CsaHeader::numbers(const std::string& name) const {
  static const std::vector<double> none;
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? none : found->second;
}

CsaHeader csaHeaderOf(const DicomSet& set) {
  const std::string& bytes = set.privateBytes(0x0029, "SIEMENS CSA HEADER", 0x10);
  CsaHeader header;
  CsaCursor in(bytes);
  if (in.take(4) != "SV10") return {};
  in.take(4);
  const std::uint32_t count = in.number();
  in.number();
  for (std::uint32_t i = 0; i < count && in.whole(); ++i) {
    const std::string name(upToZero(in.take(64)));
    in.take(4 + 4 + 4);  // the multiplicity, and the type as letters and as a number
    const std::uint32_t items = in.number();
    in.number();
    std::vector<double> numbers;
    for (std::uint32_t k = 0; k < items && in.whole(); ++k) {
      in.number();
      const std::uint32_t length = in.number();
      in.take(2 * sizeof(std::uint32_t));
      std::string_view text = upToZero(in.take(length));
      in.take((4 - length % 4) % 4);
      while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
      double value = 0;
      if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc() &&
          std::isfinite(value))
        numbers.push_back(value);
    }
    if (!numbers.empty()) header.numbers_[name] = std::move(numbers);
  }
  return in.whole() ? header : CsaHeader();
}

bool isMosaic(const DicomSet& set) {
  const std::string type = "\\" + set.text(0x00080008) + "\\";
  return type.find("\\MOSAIC\\") != type.npos;
}

void unfoldMosaic(DicomFrame& frame, const DicomSet& set) {
  if (!frame.missing.empty()) failMosaic(frame.file, "without " + frame.missing.front());
  const CsaHeader csa = csaHeaderOf(set);
  double announced = 0;
  if (const auto& count = csa.numbers("NumberOfImagesInMosaic"); !count.empty()) announced = count.front();
  if (const auto& bytes = set.privateBytes(0x0019, "SIEMENS MR HEADER", 0x0a);
      announced == 0 && bytes.size() == 2)
    announced = load<std::uint16_t>(bytes.data(), false);
  if (!(announced >= 1 && announced <= 4096) || announced != std::floor(announced))
    failMosaic(frame.file, "that does not say of how many slices");
  const int slices = int(announced), tiles = int(std::ceil(std::sqrt(announced)));
  Grid& grid = frame.grid;
  const Vec3<int> whole = grid.size;
  if (whole.x % tiles != 0 || whole.y % tiles != 0)
    failMosaic(frame.file, "of " + std::to_string(whole.x) + " × " + std::to_string(whole.y) +
                               " voxels, which " + std::to_string(slices) + " slices do not share evenly");
  const Affine mosaic = grid.worldFromVoxel;
  const Vec3<double> across = normalized(cross(mosaic.column(0), mosaic.column(1)));
  // The normal is in LPS like the whole header. It gives the direction in which the slices follow each other.
  const auto& normal = csa.numbers("SliceNormalVector");
  const double along = normal.size() == 3 ? dot(across, {-normal[0], -normal[1], normal[2]}) : 0;
  if (std::abs(std::abs(along) - 1) > 0.01)
    failMosaic(frame.file, "that does not say in which direction its slices follow each other");
  const double spacing = set.number(0x00180088).value_or(0);
  if (!(spacing > 0)) failMosaic(frame.file, "that does not say how far its slices are apart");

  grid.size = {whole.x / tiles, whole.y / tiles, slices};
  const Vec3<double> step = (along > 0 ? spacing : -spacing) * across;
  for (int world = 0; world < 3; ++world) grid.worldFromVoxel.m[world][2] = step[world];
  // The position in the header is that of the corner of a slice as wide as the mosaic.
  grid.worldFromVoxel.t = mosaic.point({(whole.x - grid.size.x) / 2.0, (whole.y - grid.size.y) / 2.0, 0});
  std::vector<float> values;
  values.reserve(std::size_t(grid.voxels()));
  for (int s = 0; s < slices; ++s)
    for (int y = 0; y < grid.size.y; ++y) {
      const auto row = frame.values.begin() + (std::int64_t(s / tiles) * grid.size.y + y) * whole.x +
                       s % tiles * grid.size.x;
      values.insert(values.end(), row, row + grid.size.x);
    }
  frame.values = std::move(values);
  frame.notes.push_back("Unfolded from a Siemens mosaic of " + std::to_string(tiles) + " × " +
                        std::to_string(tiles) + " tiles.");
}

}  // namespace sulcus::io
