// The program sulcus-dicom, the GuardedChild of the file readers: it decodes compressed frames of DICOM
// and reads transforms in HDF5. Requests and answers pass through a socket that is both its standard input
// and its standard output. With the arguments PROGRAM IN OUT MEMORY SECONDS BYTES it becomes a
// converter instead, see becomeConverter().
#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/processes/confinement.h"
#include "core/base/platform/processes/pipe.h"
#include "core/base/platform/processes/standard_streams.h"
#include "core/io/dicom/dicom_decoder.h"
#include "core/io/tables/itk_composite.h"
#include "core/toolkits/hdf5_transforms.h"

#include <cerrno>
#include <cstdlib>
#include <vector>

#include <gdcmImage.h>
#include <gdcmSequenceOfFragments.h>
#include <gdcmTrace.h>

namespace sulcus::toolkits {
namespace {

/// Reads all of `bytes`; false if the other side is gone.
bool readAll(std::span<char> bytes) {
  while (!bytes.empty()) {
    const std::ptrdiff_t count = readSome(kStandardInput, bytes);
    if (count <= 0) return false;
    bytes = bytes.subspan(std::size_t(count));
  }
  return true;
}
/// Writes all of `bytes`; false if the other side is gone.
bool answerWith(std::span<const char> bytes) { return writeAll(kStandardOutput, bytes) == 0; }

constexpr std::uint64_t kLibraries = std::uint64_t(1) << 30;  // bytes that the libraries may use for any
                                                              // input

gdcm::TransferSyntax::TSType syntaxOf(io::Codec codec) {
  switch (codec) {
    case io::Codec::jpeg:
      return gdcm::TransferSyntax::JPEGLosslessProcess14_1;
    case io::Codec::jpegLs:
      return gdcm::TransferSyntax::JPEGLSLossless;
    case io::Codec::jpeg2000:
      return gdcm::TransferSyntax::JPEG2000Lossless;
    case io::Codec::rle:
      return gdcm::TransferSyntax::RLELossless;
  }
  return gdcm::TransferSyntax::TS_END;
}

/// The numbers of a frame; empty if the stream does not hold what the request says.
std::vector<char> decoded(const io::CodedFrame& frame, const std::vector<char>& stream) {
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
  // GDCM replaces the given format by the one it finds.
  const gdcm::PixelFormat found = image.GetPixelFormat();
  if (found.GetBitsAllocated() != frame.bitsAllocated || found.GetSamplesPerPixel() != 1 ||
      found.GetPixelRepresentation() != frame.isSigned)
    return {};
  return numbers;
}

/// Reads the rest of a request, whose mark has been read, and answers it; false if the other side is gone.
bool answerFrame() {
  io::CodedFrame frame;
  if (!readAll(io::plainBytes(frame).subspan(sizeof frame.mark))) return false;
  limitTo(kLibraries + 40 * std::uint64_t(frame.columns) * frame.rows + 4 * frame.codedBytes,
          frame.mostSeconds());
  std::vector<char> stream(frame.codedBytes + frame.codedBytes % 2);
  if (!readAll(std::span(stream).first(frame.codedBytes))) return false;
  const std::vector<char> numbers = decoded(frame, stream);
  io::DecodedFrame answer;
  answer.done = !numbers.empty();
  answer.bytes = numbers.size();
  return answerWith(io::plainBytes(answer)) && answerWith(numbers);
}

bool answerTransforms() {
  io::TransformFile file;
  if (!readAll(io::plainBytes(file).subspan(sizeof file.mark))) return false;
  limitTo(kLibraries + 4 * file.fileBytes, file.mostSeconds());
  std::vector<char> bytes(file.fileBytes);
  return readAll(bytes) && tellTransforms(std::move(bytes), answerWith);
}

/// Answers requests until the other side is gone; returns the exit status.
int serve() {
  gdcm::Trace::WarningOff();
  gdcm::Trace::ErrorOff();
  gdcm::Trace::DebugOff();
  confine();
  for (std::uint32_t mark = 0; readAll(io::plainBytes(mark));) {
    const bool answered = (mark == io::CodedFrame::kMark && answerFrame()) ||
                          (mark == io::TransformFile::kMark && answerTransforms());
    if (!answered) return 1;
  }
  return 0;
}

}  // namespace
}  // namespace sulcus::toolkits

int main(int count, char** arguments) {
  if (count != 7) return sulcus::toolkits::serve();
  return sulcus::becomeConverter(arguments[1], arguments[2], arguments[3],
                                 {.memory = std::strtoull(arguments[4], nullptr, 10),
                                  .seconds = std::strtod(arguments[5], nullptr),
                                  .file = std::strtoull(arguments[6], nullptr, 10)});
}
