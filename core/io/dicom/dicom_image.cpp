#include "core/io/dicom/dicom_image.h"

#include "core/base/error.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <map>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

SampleType sampleType(int bits, bool isSigned) {
  switch (bits) {
    case 8:
      return isSigned ? SampleType::i8 : SampleType::u8;
    case 16:
      return isSigned ? SampleType::i16 : SampleType::u16;
    default:
      return isSigned ? SampleType::i32 : SampleType::u32;
  }
}

bool isSigned(SampleType type) {
  return type == SampleType::i8 || type == SampleType::i16 || type == SampleType::i32;
}

/// The compression of a transfer syntax; nullopt for uncompressed images.
std::optional<Codec> codecOf(const std::string& syntax, const fs::path& file) {
  static const std::map<std::string, std::optional<Codec>> known{{"1.2.840.10008.1.2", {}},
                                                                 {"1.2.840.10008.1.2.1", {}},
                                                                 {"1.2.840.10008.1.2.2", {}},
                                                                 {"1.2.840.10008.1.2.4.50", Codec::jpeg},
                                                                 {"1.2.840.10008.1.2.4.51", Codec::jpeg},
                                                                 {"1.2.840.10008.1.2.4.57", Codec::jpeg},
                                                                 {"1.2.840.10008.1.2.4.70", Codec::jpeg},
                                                                 {"1.2.840.10008.1.2.4.80", Codec::jpegLs},
                                                                 {"1.2.840.10008.1.2.4.81", Codec::jpegLs},
                                                                 {"1.2.840.10008.1.2.4.90", Codec::jpeg2000},
                                                                 {"1.2.840.10008.1.2.4.91", Codec::jpeg2000},
                                                                 {"1.2.840.10008.1.2.5", Codec::rle}};
  const auto found = known.find(syntax);
  if (found == known.end())
    failDicom(file, "its image is stored or compressed in a way that is not known here",
              "export it again, without compression");
  return found->second;
}

/// What masking to the stored bits did to the numbers.
struct KeptBits {
  bool nothingElse = true;  ///< all other bits were 0 or a sign extension
  bool unchanged = true;
};

/// Converts the numbers in place to this machine's byte order, keeping only the stored bits.
template <class T>
KeptBits keepStoredBits(std::span<char> bytes, const DicomImage& image, bool swap) {
  const int above = image.bitsAllocated - 1 - image.highBit, unused = image.bitsAllocated - image.bitsStored;
  KeptBits kept;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
    using Bits = std::make_unsigned_t<T>;
    const Bits all = load<Bits>(bytes.data() + at, swap), upwards = Bits(all << above);
    const T value = T(T(upwards) >> unused);  // a right shift of a signed type extends its sign
    kept.unchanged = kept.unchanged && all == Bits(value);
    kept.nothingElse = kept.nothingElse && (all == Bits(value) || all == Bits(upwards >> unused));
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
  return kept;
}

KeptBits keepStoredBits(std::span<char> bytes, const DicomImage& image, bool swap) {
  return withNumber(image.type, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T>) return keepStoredBits<T>(bytes, image, swap);
    return KeptBits();  // sampleType() gives integers alone
  });
}

std::string sizeText(std::uint64_t columns, std::uint64_t rows) {
  return std::to_string(columns) + " × " + std::to_string(rows);
}

/// The request for the decoder; throws Error unless the code stream agrees with the header.
CodedFrame codedFrame(const DicomImage& image, std::string_view stream, const fs::path& file) {
  CodedFrame frame;
  frame.codec = *image.codec;
  frame.columns = std::uint32_t(image.columns);
  frame.rows = std::uint32_t(image.rows);
  frame.bitsAllocated = std::uint32_t(image.bitsAllocated);
  frame.bitsStored = frame.bitsAllocated;  // the decoder leaves all bits unchanged
  frame.isSigned = isSigned(image.type);
  frame.codedBytes = stream.size();
  if (frame.codec == Codec::rle) {
    if (!rleSegmentsFit(stream, frame.bitsAllocated / 8, image.pixels()))
      failDicom(file, "its compressed image is damaged, or not of " + sizeText(frame.columns, frame.rows) +
                          " voxels of " + std::to_string(frame.bitsAllocated) + " bits");
    return frame;
  }
  const auto found = readCodeStreamHeader(frame.codec, stream);
  if (!found) failDicom(file, "its compressed image does not start as its kind does");
  if (found->columns != frame.columns || found->rows != frame.rows)
    failDicom(file, "its compressed image has " + sizeText(found->columns, found->rows) +
                        " voxels and its header says " + sizeText(frame.columns, frame.rows));
  if (found->components != 1)
    failDicom(file, "its compressed image has " + std::to_string(found->components) + " numbers per voxel",
              "choose a series of gray values");
  // Decoders return whole bytes, whose number must be that of the header.
  const int width = int(std::clamp(std::bit_ceil(unsigned(found->bits)), 8u, 32u));
  if (found->bits < 1 || width != image.bitsAllocated)
    failDicom(file, "its compressed image has a different number type (" + std::to_string(found->bits) +
                        (found->isSigned ? " bits, signed" : " bits") + ") than its header says");
  frame.bitsStored = std::uint32_t(found->bits);
  // Encoders differ in this flag; the bits are the same, and the header says what they mean.
  if (frame.codec == Codec::jpeg2000) frame.isSigned = found->isSigned;
  return frame;
}

}  // namespace

namespace {

int wholeNumber(const DicomSet& set, DicomTag tag, int missing) {
  return int(set.number(tag).value_or(missing));
}

/// Reads what the numbers of a voxel stand for.
void readMeaning(const DicomSet& set, DicomImage& image, const fs::path& file) {
  const std::string& colors = set.text(0x00280004);
  const int samples = wholeNumber(set, 0x00280002, 1);
  image.colors = samples == 3 && (colors == "RGB" || colors.starts_with("YBR_"));
  const bool isGray = samples == 1 && (colors.empty() || colors.starts_with("MONOCHROME"));
  if (!image.colors && !isGray)
    throw Error(quoted(file) + " is a color image of a kind that is not read (" + colors + ")",
                "Sulcus reads red, green and blue", "choose another series");
  if (!set.items(0x00283000).empty())
    failDicom(file,
              "its numbers are to be looked up in a table (ModalityLUTSequence), which is not supported",
              "export it again, with the table applied");
  if (colors.empty())
    image.notes.push_back(
        Note::warning("the header gives no PhotometricInterpretation: high numbers are taken to be bright."));
  if (colors == "MONOCHROME1")
    image.notes.emplace_back("Low numbers are meant to be bright (MONOCHROME1); they are shown as stored.");
}

void readSize(const DicomSet& set, DicomImage& image, const fs::path& file) {
  image.columns = wholeNumber(set, 0x00280011, 0);
  image.rows = wholeNumber(set, 0x00280010, 0);
  if (image.columns < 1 || image.rows < 1) failDicom(file, "its image has no size");
  const double frames = set.number(0x00280008).value_or(1);
  if (!(frames >= 1 && frames <= 1e6) || frames != std::floor(frames))
    failDicom(file, "its number of frames is invalid");
  image.frames = int(frames);
}

void readNumberType(const DicomSet& set, DicomImage& image, const fs::path& file) {
  image.bitsAllocated = wholeNumber(set, 0x00280100, 0);
  image.bitsStored = wholeNumber(set, 0x00280101, image.bitsAllocated);
  image.highBit = wholeNumber(set, 0x00280102, image.bitsStored - 1);
  const int sign = wholeNumber(set, 0x00280103, 0);
  if (image.colors && (image.bitsAllocated != 8 || sign != 0))
    failDicom(file, "its colors are not of 8 bits each");
  if (image.bitsAllocated != 8 && image.bitsAllocated != 16 && image.bitsAllocated != 32)
    failDicom(file, "its numbers have " + std::to_string(image.bitsAllocated) + " bits, not 8, 16 or 32");
  if (image.bitsStored < 1 || image.bitsStored > image.bitsAllocated ||
      image.highBit < image.bitsStored - 1 || image.highBit >= image.bitsAllocated || sign < 0 || sign > 1)
    failDicom(file, std::to_string(image.bitsStored) + " stored bits up to bit " +
                        std::to_string(image.highBit) + " do not fit into numbers of " +
                        std::to_string(image.bitsAllocated) + " bits");
  image.type = sampleType(image.bitsAllocated, sign == 1);
}

/// Throws Error unless the pixels are stored as the header says.
void requirePixels(const DicomHeader& header, DicomImage& image, const fs::path& file) {
  const std::uint64_t needed = image.frameBytes() * std::uint64_t(image.frames);
  if (image.codec.has_value() == header.pixelBytes.has_value())
    failDicom(file, "its image is not stored as its transfer syntax says");
  if (image.codec && image.highBit != image.bitsStored - 1)
    failDicom(file, "its compressed image declares that its highest bit is not the last stored bit");
  if (!image.codec && (*header.pixelBytes < needed || *header.pixelBytes - needed >= image.frameBytes()))
    failDicom(file, "its image has " + std::to_string(*header.pixelBytes) + " bytes and " +
                        sizeText(std::uint64_t(image.columns), std::uint64_t(image.rows)) + " × " +
                        std::to_string(image.frames) + " numbers of " + std::to_string(image.bitsAllocated) +
                        " bits need " + std::to_string(needed));
  // An odd number of bytes is padded to an even one.
  if (!image.codec && *header.pixelBytes > needed + needed % 2)
    image.notes.push_back(
        Note::warning(std::to_string(*header.pixelBytes - needed) + " bytes after the image were not read."));
  if (header.swapped && header.pixelType == "OW" && image.bitsAllocated == 8)
    failDicom(file, "it holds bytes in big-endian words, which cannot be read here");
}

}  // namespace

DicomImage dicomImageOf(const DicomHeader& header, const fs::path& file) {
  DicomImage image;
  readMeaning(header.set, image, file);
  readSize(header.set, image, file);
  readNumberType(header.set, image, file);
  image.codec = codecOf(header.syntax, file);
  requirePixels(header, image, file);
  requireMemory(image.pixels() * std::uint64_t(image.frames) * 2 * sizeof(float), file);
  return image;
}

void requirePlausibleCompression(const DicomImage& image, std::uint64_t codedBytes, const fs::path& file) {
  const std::uint64_t pixels = image.pixels() * std::uint64_t(image.frames);
  // Lossless codecs rarely exceed 50:1, except for pictures without content.
  if (pixels > codedBytes * 1100 + 1'000'000)
    failDicom(file, byteText(double(pixels)) + " do not fit into " + byteText(double(codedBytes)) +
                        " of compressed image");
}

FramesRead readDicomFrames(ByteSource& source, const fs::path& file, const DicomHeader& header,
                           const DicomImage& image, const FrameHandlers& handlers, const Progress& progress) {
  const auto frames = std::uint64_t(image.frames);
  std::vector<std::string> streams;
  if (image.codec) {
    // A code stream is at most twice as long as its image plus the headers of a very small one.
    streams = readDicomFragments(source, file, frames, (2 * image.frameBytes() + 65536) * frames);
    std::uint64_t coded = 0;
    for (const auto& stream : streams) coded += stream.size();
    requirePlausibleCompression(image, coded, file);
  }
  std::vector<char> numbers(image.frameBytes());
  FramesRead read{.asStored = !image.codec};
  for (std::size_t f = 0; f < frames; ++f) {
    progress.throwIfCancelled();
    if (image.codec) {
      const CodedFrame coded = codedFrame(image, streams[f], file);
      read.otherSign = read.otherSign || (coded.isSigned != 0) != isSigned(image.type);
      handlers.decode(file, coded, streams[f], numbers, progress);
    } else if (source.readSome(numbers) < numbers.size()) {
      failDicom(file, "it ends within its image");
    }
    const KeptBits kept = keepStoredBits(numbers, image, header.swapped && !image.codec);
    if (!kept.nothingElse && image.codec && !read.otherSign)
      failDicom(file, "its compressed image holds larger numbers than its header says");
    read.asStored = read.asStored && kept.unchanged;
    handlers.take(numbers);
  }
  return read;
}

}  // namespace sulcus::io
