#include "core/io/dicom/dicom_elements.h"

#include "core/base/error.h"
#include "core/io/dicom/dicom_dictionary.h"
#include "core/io/volumes/samples.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kUndefined = 0xffffffff;
constexpr int kDeepestSequence = 16;
constexpr std::size_t kMostItems = 100'000, kLongestText = 4096;
constexpr DicomTag kItem = 0xfffee000, kItemEnd = 0xfffee00d, kSequenceEnd = 0xfffee0dd,
                   kTransferSyntax = 0x00020010, kImageType = 0x00080008, kMediaClass = 0x00020002,
                   kSopClass = 0x00080016, kFloatPixels = 0x7fe00008, kDoublePixels = 0x7fe00009;

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) text.pop_back();
  return text;
}

bool hasMark(std::string_view start) { return start.size() >= kDicomStart && start.substr(128, 4) == "DICM"; }
/// Whether the first element of a file without preamble states its type in two letters.
bool isExplicit(std::string_view start) {
  return std::isupper(static_cast<unsigned char>(start[4])) &&
         std::isupper(static_cast<unsigned char>(start[5]));
}

class Parser {
 public:
  Parser(ByteSource& source, const fs::path& file, std::set<DicomTag> texts = {})
      : source_(source), file_(file), texts_(std::move(texts)) {}

  DicomHeader readHeader(DicomTag end) {
    readStart();
    DicomHeader header;
    header.bare = !hasMark(start_);
    if (!header.bare) startRead_ = start_.size();
    while (nextIsMeta()) {
      const std::uint64_t begin = position() - ahead_->size();
      const Element element = next();
      header.begins[element.tag] = begin;
      if (element.length == kUndefined) fail("an element of its meta group has no length");
      if (element.tag == kTransferSyntax)
        header.syntax = trimmed(bytes(element.length, kLongestText));
      else if (element.tag == kMediaClass)
        header.sopClass = trimmed(bytes(element.length, kLongestText));
      else
        skip(element.length);
    }
    if (header.bare && header.syntax.empty())
      header.syntax = isExplicit(start_) ? "1.2.840.10008.1.2.1" : "1.2.840.10008.1.2";
    if (header.syntax.empty()) fail("its transfer syntax is missing");
    if (header.syntax == "1.2.840.10008.1.2.1.99") fail("it is deflated as a whole, which is not supported");
    explicit_ = header.syntax != "1.2.840.10008.1.2";
    swapped_ = header.swapped = header.syntax == "1.2.840.10008.1.2.2";
    walkFile(end, header);
    if (end == kDicomPixels && startRead_ < start_.size()) fail("it is too short for an image");
    return header;
  }

  /// Reads the fragments up to their end. The first one is the table of offsets.
  std::vector<std::string> fragments(std::uint64_t most) {
    explicit_ = false;
    std::vector<std::string> pieces;
    for (std::uint64_t total = 0;;) {
      const Element item = next();
      if (item.tag == kSequenceEnd) return pieces;
      if (item.tag != kItem || item.length == kUndefined) fail("its compressed image is damaged");
      total += item.length;
      if (total > most || pieces.size() > kMostItems)
        fail("its compressed image is longer than the image itself");
      pieces.push_back(bytes(item.length, most));
    }
  }

 private:
  struct Element {
    DicomTag tag = 0;
    std::uint32_t length = 0;
    std::string type;
  };

  [[noreturn]] void fail(const std::string& why) const { failDicom(file_, why); }

  void readStart() try {
    start_.resize(kDicomStart);
    start_.resize(source_.readSome(start_));
    if (!startsAsDicom(start_)) fail("it does not start as DICOM does");
  } catch (const Error& fault) {
    throw NotDicom(fault);
  }
  /// Continues reading, first from what was read to recognize the file.
  std::size_t readSome(std::span<char> to) {
    const std::size_t known = std::min(to.size(), start_.size() - startRead_);
    std::copy_n(start_.begin() + std::ptrdiff_t(startRead_), known, to.begin());
    startRead_ += known;
    return known + (known < to.size() ? source_.readSome(to.subspan(known)) : 0);
  }
  std::uint64_t position() const { return source_.position() - (start_.size() - startRead_); }

  void take(std::span<char> to) {
    if (readSome(to) < to.size()) fail("it ends within an element");
  }
  template <class T>
  T number() {
    std::array<char, sizeof(T)> raw;
    take(raw);
    return load<T>(raw.data(), swapped_);
  }
  void requireInFile(std::uint64_t length) const try {
    source_.requireRoomFor(position() + length);
  } catch (const Error&) {
    fail("an element is longer than the file");
  }
  std::string bytes(std::uint32_t length, std::uint64_t most) {
    if (length > most) fail("a value of its header is too long");
    requireInFile(length);
    std::string value(length, '\0');
    take(value);
    return value;
  }
  void skip(std::uint32_t length) {
    requireInFile(length);
    std::array<char, 4096> waste;
    for (std::size_t left = length; left > 0; left -= std::min(left, waste.size()))
      take(std::span(waste).first(std::min(left, waste.size())));
  }
  /// Whether the file ends here. Reads the group number of the next element, once.
  bool atEnd() {
    std::array<char, 2> raw;
    if (!ahead_) {
      if (readSome(raw) < raw.size()) return true;
      ahead_ = raw;
    }
    return false;
  }
  /// Whether the next element belongs to the meta group, which is always explicit little-endian.
  bool nextIsMeta() { return !atEnd() && load<std::uint16_t>(ahead_->data(), false) == 2; }

  Element next() {
    Element e;
    std::uint16_t group = 0;
    if (ahead_) {
      group = load<std::uint16_t>(ahead_->data(), swapped_);
      ahead_.reset();
    } else {
      group = number<std::uint16_t>();
    }
    e.tag = DicomTag(group) << 16;
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
      fail("an element has an unknown value representation");
    }
    return e;
  }

  [[noreturn]] void failWithoutPixels(const DicomHeader& header) const {
    const std::string object = objectWithoutImage(header.sopClass);
    if (!object.empty()) failWithoutImage(file_, object);
    throw NoDicomImage(quoted(file_) + " cannot be read as DICOM", "it holds no image",
                       "copy or export it again");
  }

  /// Reads the elements at the top level of the file whose tags are below `end`.
  void walkFile(DicomTag end, DicomHeader& header) {
    for (DicomTag last = 0; !atEnd();) {
      const std::uint64_t begin = position() - ahead_->size();
      const Element e = next();
      if (e.tag >> 16 == 0xfffe) fail("a sequence is damaged");
      if (e.tag <= last) fail("its elements are out of order");
      last = e.tag;
      if (e.tag >= end) {
        header.pixelsAt = begin;
        if (end == kDicomPixels && e.tag != end) failWithoutPixels(header);
        header.pixelType = e.type;
        if (e.length != kUndefined) header.pixelBytes = e.length;
        return;
      }
      if (e.tag == kFloatPixels || e.tag == kDoublePixels)
        fail("its image is of floating-point numbers, which cannot be read from DICOM");
      header.begins[e.tag] = begin;
      walkElement(e, &header.set, kNoEnd, 0);
      if (e.tag == kSopClass) header.sopClass = header.set.text(kSopClass);
    }
    failWithoutPixels(header);
  }

  /// Reads the elements of an item up to byte `end` of the file or to the item's delimiter.
  void walkItem(DicomSet* into, std::uint64_t end, bool delimited, int depth) {
    if (depth > kDeepestSequence) fail("its sequences are nested too deeply");
    for (DicomTag last = 0; position() < end;) {
      const Element e = next();
      if (delimited && e.tag == kItemEnd) return;
      if (e.tag >> 16 == 0xfffe) fail("a sequence is damaged");
      if (e.tag <= last) fail("its elements are out of order");
      last = e.tag;
      walkElement(e, into, end, depth);
      if (position() > end) fail("an element reaches beyond its sequence");
    }
    if (delimited) fail("a sequence does not end");
  }

  /// How an element is kept; those without a set to be kept in are not.
  ElementStorage storageIn(const DicomSet* into, DicomTag tag) const {
    if (!into) return {};
    return texts_.contains(tag) ? ElementStorage{Holds::text} : storageOf(tag);
  }

  void walkElement(const Element& e, DicomSet* into, std::uint64_t end, int depth) {
    const ElementStorage kind = storageIn(into, e.tag);
    const bool undefined = e.length == kUndefined;
    if (e.tag == kDicomPixels && undefined) {
      const bool wasExplicit = explicit_;
      fragments(kMostIcon);  // the pixels of an icon image
      explicit_ = wasExplicit;
    } else if (undefined || (kind.holds == Holds::sequence && e.length > 0)) {
      // The items of a sequence of type UN are implicit little-endian (part 5, 6.2.2 note).
      const bool wasExplicit = explicit_;
      if (e.type == "UN") explicit_ = false;
      if (!undefined) requireInFile(e.length);
      auto* const kept = kind.holds == Holds::sequence ? &into->elements[e.tag] : nullptr;
      walkSequence(kept, undefined ? end : position() + e.length, undefined, depth + 1);
      explicit_ = wasExplicit;
    } else if (kind.holds != Holds::nothing && e.length > 0) {
      keep(e, kind, into->elements[e.tag]);
    } else {
      skip(e.length);
    }
  }

  void walkSequence(DicomSet::Element* into, std::uint64_t end, bool delimited, int depth) {
    while (position() < end) {
      const Element item = next();
      if (delimited && item.tag == kSequenceEnd) return;
      if (item.tag != kItem) fail("a sequence is damaged");
      DicomSet* set = nullptr;
      if (into) {
        if (++items_ > kMostItems) fail("its sequences have too many items");
        set = &into->items.emplace_back();
      }
      const bool undefined = item.length == kUndefined;
      const std::uint64_t itemEnd = undefined ? end : position() + item.length;
      if (itemEnd > end) fail("an item is longer than its sequence");
      walkItem(set, itemEnd, undefined, depth);
    }
    if (delimited) fail("a sequence does not end");
  }

  void keep(const Element& e, const ElementStorage& kind, DicomSet::Element& into) {
    const std::string value = bytes(e.length, kLongestText);
    if (kind.holds == Holds::whole) {
      if (value.size() != 2) fail("a number of its image has the wrong length");
      into.numbers.push_back(load<std::uint16_t>(value.data(), swapped_));
    } else if (kind.holds == Holds::doubles) {
      for (std::size_t at = 0; at + sizeof(double) <= value.size(); at += sizeof(double))
        into.numbers.push_back(load<double>(value.data() + at, swapped_));
    } else if (kind.holds == Holds::decimals) {
      into.numbers = decimals(value);
    } else {
      into.bytes = trimmed(value);
    }
    for (const double one : into.numbers)
      if (!std::isfinite(one)) fail("a number in its header is not finite");
    if (kind.count > 0 && !into.numbers.empty() && into.numbers.size() != kind.count)
      fail("a position, direction, size or scale in its header has the wrong count");
  }

  std::vector<double> decimals(const std::string& value) const {
    std::vector<double> numbers;
    if (value.find_first_not_of(std::string(" \0", 2)) == value.npos) return numbers;
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end = std::min(value.find('\\', begin), value.size());
      const std::size_t first = std::min(value.find_first_not_of(" +", begin), end);
      double number = 0;
      const auto [stop, fault] = std::from_chars(value.data() + first, value.data() + end, number);
      if (fault != std::errc() || !trimmed(std::string(stop, value.data() + end)).empty())
        fail("a position, direction, size or other number in its header is not a number");
      numbers.push_back(number);
      begin = end + 1;
    }
    return numbers;
  }

  static constexpr std::uint64_t kNoEnd = ~std::uint64_t(0), kMostIcon = 100'000'000;
  ByteSource& source_;
  const fs::path& file_;
  std::optional<std::array<char, 2>> ahead_;
  std::set<DicomTag> texts_;
  std::size_t items_ = 0;
  bool explicit_ = true, swapped_ = false;
  std::string start_;  // what was read to recognize the file
  std::size_t startRead_ = 0;
};

}  // namespace

bool startsAsDicom(std::string_view start) {
  if (hasMark(start)) return true;
  // Without preamble: a first element of group 0002 or 0008 of at most 64 bytes whose value is text or a
  // length.
  if (start.size() < 16 || (start[0] != 2 && start[0] != 8) || start[1] != 0 || start[3] != 0) return false;
  const bool withType = isExplicit(start);
  const auto length =
      withType ? load<std::uint16_t>(start.data() + 6, false) : load<std::uint32_t>(start.data() + 4, false);
  if (start[0] == 2 && !withType) return false;
  const auto number = static_cast<unsigned char>(start[2]);
  return length > 0 && length <= 64 && length % 2 == 0 && (number == 0 ? length == 4 : number <= 0x18);
}

Tiles tilesOf(const DicomSet& set) {
  const std::string type = "\\" + set.text(kImageType) + "\\";
  if (type.find("\\MOSAIC\\") != type.npos) return Tiles::square;
  return type.find("\\VFRAME\\") != type.npos ? Tiles::any : Tiles::none;
}

const DicomSet::Element& DicomSet::find(DicomTag tag) const {
  static const Element none;
  const auto found = elements.find(tag);
  return found == elements.end() ? none : found->second;
}
const std::string& DicomSet::text(DicomTag tag) const { return find(tag).bytes; }
const std::vector<double>& DicomSet::numbers(DicomTag tag) const { return find(tag).numbers; }
const std::vector<DicomSet>& DicomSet::items(DicomTag tag) const { return find(tag).items; }

std::optional<double> DicomSet::number(DicomTag tag) const {
  const auto& all = numbers(tag);
  return all.empty() ? std::nullopt : std::optional(all.front());
}

std::string objectWithoutImage(const std::string& sopClass) {
  static constexpr std::pair<std::string_view, const char*> kObjects[] = {
      {kDicomIndex, "the index of a medium (DICOMDIR)"},
      {"1.2.840.10008.5.1.4.1.1.4.2", "spectroscopy"},
      {"1.2.840.10008.5.1.4.1.1.9.", "a waveform"},
      {"1.2.840.10008.5.1.4.1.1.11.", "a presentation state"},
      {"1.2.840.10008.5.1.4.1.1.66", "raw data"},
      {"1.2.840.10008.5.1.4.1.1.66.1", "a spatial registration"},
      {"1.2.840.10008.5.1.4.1.1.66.2", "spatial fiducials"},
      {"1.2.840.10008.5.1.4.1.1.66.3", "a spatial registration"},
      {"1.2.840.10008.5.1.4.1.1.66.4", "a segmentation (SEG)"},
      {"1.2.840.10008.5.1.4.1.1.66.5", "a surface segmentation"},
      {"1.2.840.10008.5.1.4.1.1.66.6", "tractography"},
      {"1.2.840.10008.5.1.4.1.1.67", "a mapping of values"},
      {"1.2.840.10008.5.1.4.1.1.88.", "a structured report"},
      {"1.2.840.10008.5.1.4.1.1.104.", "a document"},
      {"1.2.840.10008.5.1.4.1.1.481.3", "contours (RTSTRUCT)"},
      {"1.2.840.10008.5.1.4.1.1.481.5", "a plan of radiotherapy"},
      {"1.3.12.2.1107.5.9.1", "data of Siemens without an image"}};
  for (const auto& [uid, object] : kObjects)
    if (sopClass == uid || (uid.ends_with('.') && sopClass.starts_with(uid))) return object;
  return "";
}

void failWithoutImage(const fs::path& file, const std::string& object) {
  const char *why = "it holds no picture", *whatToDo = "open the series that it belongs to";
  if (object.ends_with("(DICOMDIR)")) {
    why = "it only lists the files of the medium";
    whatToDo = "open the folder that it lies in";
  } else if (object.ends_with("(SEG)")) {
    why = "it lays parts over the image of another series";
    whatToDo = "convert it to NIfTI, for example by segimage2itkimage of dcmqi";
  }
  throw NoDicomImage(quoted(file) + " is " + object + " and no image that is read", why, whatToDo);
}

void failDicom(const fs::path& file, const std::string& why, const std::string& whatToDo) {
  throw Error(quoted(file) + " cannot be read as DICOM", why, whatToDo);
}

DicomHeader readDicomHeader(ByteSource& source, const fs::path& file, DicomTag end,
                            const std::set<DicomTag>& texts) {
  return Parser(source, file, texts).readHeader(end);
}

std::vector<std::string> readDicomFragments(ByteSource& source, const fs::path& file, std::size_t frames,
                                            std::uint64_t most) {
  std::vector<std::string> pieces = Parser(source, file).fragments(most);
  if (pieces.empty()) failDicom(file, "its compressed image is damaged");
  const std::string offsets = std::move(pieces.front());
  pieces.erase(pieces.begin());
  if (pieces.size() == frames) return pieces;
  std::vector<std::string> joined;
  if (frames == 1) {
    joined.emplace_back();
    for (const auto& piece : pieces) joined.back() += piece;
    return joined;
  }
  // The table gives the start of each frame, counted from the item of the first fragment (part 5, A.4).
  std::uint64_t at = 0;
  std::size_t begun = 0;
  for (const auto& piece : pieces) {
    if (begun < frames && offsets.size() == 4 * frames &&
        load<std::uint32_t>(offsets.data() + 4 * begun, false) == at) {
      joined.emplace_back();
      ++begun;
    }
    if (joined.empty()) break;
    joined.back() += piece;
    at += 8 + piece.size();
  }
  if (joined.size() != frames)
    failDicom(file, "its " + std::to_string(pieces.size()) + " fragments cannot be assigned to " +
                        std::to_string(frames) + " frames");
  return joined;
}

}  // namespace sulcus::io
