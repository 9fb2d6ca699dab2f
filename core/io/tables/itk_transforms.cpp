#include "core/io/tables/itk_transforms.h"

#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/base/word_list.h"
#include "core/io/streams/byte_source.h"
#include "core/io/volumes/header_text.h"
#include "core/io/volumes/samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

namespace sulcus::io {
namespace {

constexpr std::size_t kMostNumbers = 12;         // of an affine map
constexpr double kVersorError = 1e-6;            // of the squared length, by rounding
constexpr std::size_t kLargestFile = 64 * 1024;  // bytes; a transform has a few hundred
constexpr std::string_view kTextMark = "#Insight Transform File";
constexpr std::string_view kTypeWord = "Transform_";  // in every type name except:
constexpr std::string_view kBaseType = "MatrixOffsetTransformBase_";

[[noreturn]] void failDamaged(const std::string& name, const std::string& why) {
  throw Error(name + " is damaged", why, "write the transform again");
}

using Matrix = std::array<std::array<double, 3>, 3>;

/// The rotation about one axis, in ITK's convention of Euler angles.
Affine turnAbout(int axis, double angle) {
  Affine turn;
  const auto a = std::size_t(axis + 1) % 3, b = std::size_t(axis + 2) % 3;
  turn.m[a][a] = turn.m[b][b] = std::cos(angle);
  turn.m[b][a] = std::sin(angle);
  turn.m[a][b] = -turn.m[b][a];
  return turn;
}

/// The text after "KEY:" in a line, nullopt for other lines.
std::optional<std::string_view> valueOf(std::string_view line, std::string_view key) {
  if (!line.starts_with(key) || line.substr(key.size(), 1) != ":") return {};
  return trimmed(line.substr(key.size() + 1));
}

/// Reads the arrays of a MATLAB file of level 4 sequentially.
class MatlabArrays {
 public:
  MatlabArrays(std::string_view bytes, const std::string& name) : rest_(bytes), name_(name) {}

  struct Array {
    std::string name;
    std::vector<double> values;
  };
  bool any() const { return !rest_.empty(); }
  Array next() {
    std::array<std::uint32_t, 5> head;  // type, rows, columns, whether complex, bytes of the name
    const std::string_view bytes = take(sizeof head);
    const bool swap = load<std::uint32_t>(bytes.data(), false) > 0xffff;
    for (std::size_t i = 0; i < head.size(); ++i) head[i] = load<std::uint32_t>(bytes.data() + 4 * i, swap);
    // The digits of the type are the byte order (1: big-endian), 0, the precision (0: double, 1: single) and
    // 0; ITK sets the second digit to 1 for row-major order, which is irrelevant for a vector.
    const std::uint32_t precision = head[0] / 10 % 10;
    if (head[0] / 1000 != (swap ? 1 : 0) || precision > 1 || head[0] % 10 != 0 || head[3] != 0)
      failDamaged(name_, "its header is not that of an array of real numbers");
    const std::uint64_t count = std::uint64_t(head[1]) * head[2];
    if (count > kMostNumbers || head[4] > 64)
      failDamaged(name_, text("it declares an array of ", head[1], " × ", head[2], " numbers"));
    Array array;
    array.name = take(head[4]);
    array.name.erase(std::min(array.name.find('\0'), array.name.size()));
    const std::size_t size = precision == 0 ? sizeof(double) : sizeof(float);
    const std::string_view values = take(std::size_t(count) * size);
    for (std::size_t i = 0; i < count; ++i)
      array.values.push_back(precision == 0 ? load<double>(values.data() + 8 * i, swap)
                                            : double(load<float>(values.data() + 4 * i, swap)));
    return array;
  }

 private:
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) failDamaged(name_, "it ends before its transform does");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  const std::string& name_;
};

[[noreturn]] void failSeveral(const std::string& name) {
  throw Error(name + " holds several transforms",
              "which of them to start from, or in which order, is unknown", "give one linear transform");
}

using Numbers = std::vector<double>;

Affine ofMatrix(const Numbers& p, const Numbers&) {
  Affine map;
  for (std::size_t i = 0; i < 9; ++i) map.m[i / 3][i % 3] = p[i];
  return map;
}

/// `fixed` may have a flag after the center.
Affine ofEulerAngles(const Numbers& p, const Numbers& fixed) {
  const Affine x = turnAbout(0, p[0]), y = turnAbout(1, p[1]), z = turnAbout(2, p[2]);
  const bool zyx = fixed.size() == 4 && fixed[3] != 0;
  return zyx ? z * y * x : z * x * y;
}

/// From the vector part v of a unit quaternion: 1 + 2 w [v]× + 2 [v]×².
Affine ofVersor(const Numbers& p, const Numbers&) {
  const Vec3<double> v{p[0], p[1], p[2]};
  const double w = std::sqrt(std::max(0.0, 1 - dot(v, v)));
  Affine map;
  for (int j = 0; j < 3; ++j) {
    Vec3<double> axis{};
    axis[j] = 1;
    const Vec3<double> turned = cross(v, axis), moved = 2 * w * turned + 2.0 * cross(v, turned);
    for (int i = 0; i < 3; ++i) map.m[std::size_t(i)][std::size_t(j)] += moved[i];
  }
  return map;
}

/// A versor, a translation and a scale.
Affine ofSimilarity(const Numbers& p, const Numbers& fixed) {
  Affine map = ofVersor(p, fixed);
  for (auto& row : map.m)
    for (double& entry : row) entry *= p[6];
  return map;
}

Affine ofNothing(const Numbers&, const Numbers&) { return {}; }

/// The meaning of the numbers of a transform type.
struct TransformKind {
  std::string_view name;
  std::size_t parameters, shift;  ///< number of parameters, and index of the first one of the translation
  Affine (*matrix)(const Numbers& parameters, const Numbers& fixed);
  std::size_t fixed = 3, mostFixed = fixed;  ///< the center, if any
  bool versor = false;
};
constexpr TransformKind kTransformKinds[] = {
    {"AffineTransform", kMostNumbers, 9, ofMatrix},
    {"MatrixOffsetTransformBase", kMostNumbers, 9, ofMatrix},
    {"Euler3DTransform", 6, 3, ofEulerAngles, 3, 4},
    {"VersorRigid3DTransform", 6, 3, ofVersor, 3, 3, true},
    {"Similarity3DTransform", 7, 3, ofSimilarity, 3, 3, true},
    {"TranslationTransform", 3, 0, ofNothing, 0},
};

const TransformKind& kindOf(const StoredTransform& stored, const std::string& name) {
  std::vector<std::string> known;
  for (const TransformKind& kind : kTransformKinds) {
    for (const char* numbers : {"_double_3_3", "_float_3_3"})
      if (stored.type == std::string(kind.name) + numbers) return kind;
    known.emplace_back(kind.name);
  }
  throw Error(text(name, " holds a transform of the type '", sanitizedForDisplay(stored.type, 60), "'"),
              wordList(known) + " of three dimensions are read", "write it as an affine transform");
}

}  // namespace

Affine itkMapOf(const StoredTransform& stored, const std::string& name) {
  const TransformKind& kind = kindOf(stored, name);
  const Numbers &p = stored.parameters, &fixed = stored.fixed;
  if (p.size() != kind.parameters)
    failDamaged(name, text("its transform has ", p.size(), " parameters, not ", kind.parameters));
  if (fixed.size() < kind.fixed || fixed.size() > kind.mostFixed)
    failDamaged(name, text("its transform has ", fixed.size(), " fixed parameters, not ", kind.fixed));
  for (const Numbers* numbers : {&p, &fixed})
    for (const double number : *numbers)
      if (!std::isfinite(number)) failDamaged(name, "it holds numbers that are not finite");
  if (kind.versor && p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > 1 + kVersorError)
    failDamaged(name, "the versor of its rotation is longer than 1");

  Affine map = kind.matrix(p, fixed);
  const Vec3<double> center = fixed.empty() ? Vec3<double>{} : Vec3<double>{fixed[0], fixed[1], fixed[2]};
  map.t = Vec3<double>{p[kind.shift], p[kind.shift + 1], p[kind.shift + 2]} + center - map.vector(center);
  Affine flip;  // converts between LPS and RAS by negating x and y
  flip.m[0][0] = flip.m[1][1] = -1;
  return flip * map * flip;
}

bool isItkTransform(std::string_view text) { return text.starts_with(kTextMark); }

Affine itkTransformIn(std::string_view text, const std::string& name) {
  if (text.size() > kLargestFile) failDamaged(name, "it is far longer than a linear transform");
  StoredTransform stored;
  const auto numbersOf = [&](std::string_view value) {
    std::vector<double> numbers;
    for (const std::string_view word : wordsOf(value)) {
      const auto number = numberOf(word);
      if (!number) failDamaged(name, inQuotes(word, 30) + " is not a number");
      numbers.push_back(*number);
    }
    return numbers;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trimmed(text.substr(at, end - at));
    at = end + 1;
    if (const auto type = valueOf(line, "Transform")) {
      if (!stored.type.empty()) failSeveral(name);
      stored.type = *type;
    } else if (const auto parameters = valueOf(line, "Parameters")) {
      stored.parameters = numbersOf(*parameters);
    } else if (const auto fixed = valueOf(line, "FixedParameters")) {
      stored.fixed = numbersOf(*fixed);
    }
  }
  return itkMapOf(stored, name);
}

bool isMatlabTransform(std::string_view start) {
  constexpr std::size_t kHead = 20;
  const std::string_view type = start.substr(std::min(kHead, start.size()), 64);
  return start.size() > kHead && (start[0] == '\0' || start[3] == '\0') &&
         (type.starts_with(kBaseType) || type.substr(0, type.find('\0')).find(kTypeWord) != type.npos);
}

Affine openMatlabTransform(const std::filesystem::path& file) {
  const std::string name = quoted(file);
  std::string bytes(kLargestFile, '\0');
  bytes.resize(ByteSource(file).readSome(bytes));
  if (bytes.size() == kLargestFile) failDamaged(name, "it is far longer than a linear transform");
  MatlabArrays arrays(bytes, name);
  StoredTransform stored;
  auto parameters = arrays.next();
  stored.type = std::move(parameters.name);
  stored.parameters = std::move(parameters.values);
  auto fixed = arrays.next();
  if (fixed.name != "fixed")
    failDamaged(name, "its second array is not 'fixed', the center of the transform");
  stored.fixed = std::move(fixed.values);
  if (arrays.any()) failSeveral(name);
  return itkMapOf(stored, name);
}

}  // namespace sulcus::io
