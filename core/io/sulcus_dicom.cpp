// sulcus-dicom: decodes compressed frames for DicomDecoder, over the socket that is its standard input and
// output.
#include "core/io/dicom_decoder.h"

#include <cerrno>
#include <cmath>
#include <vector>

#include <gdcmImage.h>
#include <gdcmSequenceOfFragments.h>
#include <gdcmTrace.h>
#include <sys/resource.h>
#include <unistd.h>

namespace sulcus::io {
namespace {

/// All of `bytes`; false where the other side has gone.
bool take(std::span<char> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count == 0 || (count < 0 && errno != EINTR)) return false;
    if (count > 0) bytes = bytes.subspan(std::size_t(count));
  }
  return true;
}
bool give(std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) bytes = bytes.subspan(std::size_t(count));
  }
  return true;
}

void limit(__rlimit_resource resource, std::uint64_t most) {
  rlimit limits{};
  getrlimit(resource, &limits);
  limits.rlim_cur = std::min<rlim_t>(most, limits.rlim_max);
  setrlimit(resource, &limits);
}

/// What one frame may take; a fixed allowance for libraries, and what decoders need per voxel.
void limitFor(const CodedFrame& frame) {
#ifndef __SANITIZE_ADDRESS__  // which reserves terabytes
  limit(RLIMIT_AS,
        (std::uint64_t(1) << 30) + 40 * std::uint64_t(frame.columns) * frame.rows + 4 * frame.codedBytes);
#endif
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  limit(RLIMIT_CPU, std::uint64_t(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1 +
                        std::uint64_t(std::ceil(frame.mostSeconds())));
}

gdcm::TransferSyntax::TSType syntaxOf(Codec codec) {
  switch (codec) {
    case Codec::jpeg:
      return gdcm::TransferSyntax::JPEGLosslessProcess14_1;
    case Codec::jpegLs:
      return gdcm::TransferSyntax::JPEGLSLossless;
    case Codec::jpeg2000:
      return gdcm::TransferSyntax::JPEG2000Lossless;
    case Codec::rle:
      return gdcm::TransferSyntax::RLELossless;
  }
  return gdcm::TransferSyntax::TS_END;
}

/// The numbers of the frame; empty where it cannot be decoded to what it is said to hold.
std::vector<char> decoded(const CodedFrame& frame, const std::vector<char>& stream) {
  const auto fragments = gdcm::SmartPointer<gdcm::SequenceOfFragments>(new gdcm::SequenceOfFragments);
  gdcm::Fragment fragment;
  fragment.SetByteValue(stream.data(), gdcm::VL(std::uint32_t(stream.size())));
  fragments->AddFragment(fragment);
  gdcm::DataElement pixels(gdcm::Tag(0x7fe0, 0x0010));
  pixels.SetVR(gdcm::VR::OB);
  pixels.SetValue(*fragments);
  const gdcm::PixelFormat format(1, std::uint16_t(frame.bitsAllocated), std::uint16_t(frame.bitsStored),
                                 std::uint16_t(frame.bitsStored - 1), std::uint16_t(frame.isSigned));
  gdcm::Image image;
  image.SetNumberOfDimensions(2);
  image.SetDimension(0, frame.columns);
  image.SetDimension(1, frame.rows);
  image.SetPixelFormat(format);
  image.SetPhotometricInterpretation(gdcm::PhotometricInterpretation::MONOCHROME2);
  image.SetTransferSyntax(syntaxOf(frame.codec));
  image.SetDataElement(pixels);
  std::vector<char> numbers(frame.decodedBytes());
  if (image.GetBufferLength() != numbers.size() || !image.GetBuffer(numbers.data())) return {};
  // GDCM corrects what it was told by what it finds.
  const gdcm::PixelFormat found = image.GetPixelFormat();
  if (found.GetBitsAllocated() != frame.bitsAllocated || found.GetSamplesPerPixel() != 1 ||
      found.GetPixelRepresentation() != frame.isSigned)
    return {};
  return numbers;
}

/// One frame after the other until there are no more.
int serve() {
  gdcm::Trace::WarningOff();
  gdcm::Trace::ErrorOff();
  gdcm::Trace::DebugOff();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  CodedFrame frame;
  while (take({reinterpret_cast<char*>(&frame), sizeof frame})) {
    if (frame.mark != CodedFrame::kMark) return 1;
    limitFor(frame);
    std::vector<char> stream(frame.codedBytes + frame.codedBytes % 2);
    if (!take(std::span(stream).first(frame.codedBytes))) return 1;
    const std::vector<char> numbers = decoded(frame, stream);
    DecodedFrame answer;
    answer.done = !numbers.empty();
    answer.bytes = numbers.size();
    if (!give({reinterpret_cast<const char*>(&answer), sizeof answer}) || !give(numbers)) return 1;
  }
  return 0;
}

}  // namespace
}  // namespace sulcus::io

int main() { return sulcus::io::serve(); }
