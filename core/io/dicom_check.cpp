#include "core/io/dicom_check.h"

#include "core/base/error.h"
#include "core/io/byte_source.h"
#include "core/io/samples.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <string>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kUndefined = 0xffffffff;
constexpr int kDeepest = 16;
constexpr std::uint32_t kItem = 0xfffee000, kItemEnd = 0xfffee00d, kSequenceEnd = 0xfffee0dd,
                        kPixels = 0x7fe00010, kTransferSyntax = 0x00020010;

/// DICOM part 5, section 7: data sets, elements and sequences by their lengths.
class Walker {
 public:
  explicit Walker(const fs::path& file)
      : file_(file), in_(file, std::ios::binary), size_(fs::file_size(file)) {}

  void walkFile() {
    at_ = 132;
    // The meta group is always explicit little-endian.
    std::string syntax;
    while (at_ + 8 <= size_ && groupAhead() == 2) {
      const Element element = next();
      if (element.length == kUndefined) fail("an element of its meta group has no length");
      if (element.tag == kTransferSyntax) syntax = text(element.length);
      skip(element.length);
    }
    while (!syntax.empty() && (syntax.back() == '\0' || syntax.back() == ' ')) syntax.pop_back();
    if (syntax.empty()) fail("its transfer syntax is missing");
    if (syntax == "1.2.840.10008.1.2.1.99") fail("it is deflated as a whole, which is not supported");
    explicit_ = syntax != "1.2.840.10008.1.2";
    swapped_ = syntax == "1.2.840.10008.1.2.2";
    walkDataSet(size_, false, 0);
    if (!pixels_) fail("it holds no image");
  }

 private:
  struct Element {
    std::uint32_t tag = 0, length = 0;
    std::string type;
  };

  [[noreturn]] void fail(const std::string& why) const {
    throw Error(quoted(file_) + " cannot be read as DICOM", why, "copy or export it again");
  }
  void take(std::span<char> to) {
    if (at_ + to.size() > size_) fail("it ends within an element");
    in_.seekg(std::streamoff(at_));
    in_.read(to.data(), std::streamsize(to.size()));
    if (!in_) fail("the disk reports an error");
    at_ += to.size();
  }
  template <class T>
  T number() {
    std::array<char, sizeof(T)> raw;
    take(raw);
    return load<T>(raw.data(), swapped_);
  }
  std::uint16_t groupAhead() {
    const auto group = number<std::uint16_t>();
    at_ -= sizeof group;
    return group;
  }
  std::string text(std::uint32_t length) {
    if (length > 1024) fail("a text of its header is too long");
    std::string value(length, '\0');
    take(value);
    at_ -= length;
    return value;
  }
  void skip(std::uint64_t length) {
    if (length > size_ - at_) fail("an element is longer than the file");
    at_ += length;
  }

  Element next() {
    Element e;
    e.tag = std::uint32_t(number<std::uint16_t>()) << 16;
    e.tag |= number<std::uint16_t>();
    if (!explicit_ || e.tag >> 16 == 0xfffe) {
      e.length = number<std::uint32_t>();
      return e;
    }
    std::array<char, 2> type;
    take(type);
    e.type.assign(type.begin(), type.end());
    static const std::set<std::string> longTypes{"OB", "OD", "OF", "OL", "OV", "OW", "SQ",
                                                 "SV", "UC", "UN", "UR", "UT", "UV"};
    static const std::set<std::string> shortTypes{"AE", "AS", "AT", "CS", "DA", "DS", "DT",
                                                  "FD", "FL", "IS", "LO", "LT", "PN", "SH",
                                                  "SL", "SS", "ST", "TM", "UI", "UL", "US"};
    if (longTypes.count(e.type)) {
      number<std::uint16_t>();
      e.length = number<std::uint32_t>();
    } else if (shortTypes.count(e.type)) {
      e.length = number<std::uint16_t>();
    } else {
      fail("an element is of no type that DICOM knows");
    }
    return e;
  }

  /// The values on which GDCM asserts.
  void checkValue(const Element& e) {
    if (e.tag >= 0x00280002 && e.tag <= 0x00280103 && (e.type == "US" || !explicit_)) {
      static const std::map<std::uint32_t, std::set<int>> allowed{
          {0x00280002, {1}}, {0x00280100, {8, 16, 32, 64}}, {0x00280103, {0, 1}}};
      const bool bits = e.tag == 0x00280101 || e.tag == 0x00280102,
                 size = e.tag == 0x00280010 || e.tag == 0x00280011;
      const auto found = allowed.find(e.tag);
      if (found == allowed.end() && !bits && !size) return;
      if (e.length != 2) fail("a number of its image has the wrong length");
      const int value = number<std::uint16_t>();
      at_ -= 2;
      if (e.tag == 0x00280002 && (value == 3 || value == 4)) fail("it is a color image");
      if (e.tag == 0x00280100) allocated_ = value;
      if (size && value == 0) fail("its image has no size");
      if (bits && value > allocated_) fail("it stores more bits than it has");
      if (e.tag == 0x00280101 && value == 0) fail("its numbers have no bits");
      if (found != allowed.end() && !found->second.count(value))
        fail("its numbers are of no type that can be read");
      return;
    }
    static const std::map<std::uint32_t, int> numbers{
        {0x00200032, 3}, {0x00200037, 6}, {0x00280030, 2}, {0x00281052, 1}, {0x00281053, 1}};
    const auto count = numbers.find(e.tag);
    if (count == numbers.end()) return;
    const std::string value = text(e.length);
    int found = 0;
    for (std::size_t begin = 0; begin <= value.size(); ++found) {
      const std::size_t end = std::min(value.find('\\', begin), value.size());
      const std::size_t first = std::min(value.find_first_not_of(" +", begin), end);
      double real = 0;
      const auto [stop, fault] = std::from_chars(value.data() + first, value.data() + end, real);
      const std::string rest(stop, value.data() + end);
      if (fault != std::errc() || !std::isfinite(real) ||
          rest.find_first_not_of(std::string(" \0", 2)) != rest.npos)
        fail("a position, direction, size or scale in its header is no number");
      begin = end + 1;
    }
    if (found != count->second)
      fail("a position, direction, size or scale in its header has the wrong count");
  }

  /// Elements up to `end`, or up to an item delimiter.
  void walkDataSet(std::uint64_t end, bool delimited, int depth) {
    if (depth > kDeepest) fail("its sequences are nested too deeply");
    std::uint32_t last = 0;
    while (at_ < end) {
      const Element e = next();
      if (delimited && e.tag == kItemEnd) return;
      if (e.tag >> 16 == 0xfffe) fail("a sequence is damaged");
      if (e.tag <= last) fail("its elements are out of order");
      last = e.tag;
      if (depth == 0) checkValue(e);
      if (e.tag == kPixels) {
        pixels_ = pixels_ || depth == 0;
        if (e.length == kUndefined)
          walkFragments();
        else
          skip(e.length);
      } else if (e.type == "SQ" || e.length == kUndefined) {
        // A sequence of type UN is implicit little-endian inside (part 5, 6.2.2 note).
        const bool wasExplicit = explicit_;
        if (e.type == "UN") explicit_ = false;
        walkSequence(e.length == kUndefined ? end : at_ + checked(e.length), e.length == kUndefined,
                     depth + 1);
        explicit_ = wasExplicit;
      } else {
        skip(e.length);
      }
      if (at_ > end) fail("an element reaches beyond its sequence");
    }
    if (delimited) fail("a sequence does not end");
  }

  std::uint64_t checked(std::uint32_t length) const {
    if (length > size_ - at_) fail("a sequence is longer than the file");
    return length;
  }

  void walkSequence(std::uint64_t end, bool delimited, int depth) {
    while (at_ < end) {
      const Element item = next();
      if (delimited && item.tag == kSequenceEnd) return;
      if (item.tag != kItem) fail("a sequence is damaged");
      if (item.length == kUndefined)
        walkDataSet(end, true, depth);
      else
        walkDataSet(at_ + checked(item.length), false, depth);
    }
    if (delimited) fail("a sequence does not end");
  }

  void walkFragments() {
    while (true) {
      const Element item = next();
      if (item.tag == kSequenceEnd) return;
      if (item.tag != kItem || item.length == kUndefined) fail("its compressed image is damaged");
      skip(item.length);
    }
  }

  fs::path file_;
  std::ifstream in_;
  std::uint64_t size_ = 0, at_ = 0;
  int allocated_ = 0;
  bool explicit_ = true, swapped_ = false, pixels_ = false;
};

}  // namespace

void requireWholeDicom(const fs::path& file) {
  requireReadable(file);
  Walker(file).walkFile();
}

}  // namespace sulcus::io
