#include "core/io/dicom/dicom_decoder.h"

#include "core/base/error.h"
#include "core/io/streams/byte_source.h"

namespace sulcus::io {

namespace fs = std::filesystem;

void DicomDecoder::decode(const fs::path& file, const CodedFrame& frame, std::span<const char> stream,
                          std::span<char> numbers, const Progress& progress) try {
  child_.start("Compressed DICOM images");
  const auto deadline = GuardedChild::after(frame.mostSeconds());
  CodedFrame request = frame;
  child_.give(plainBytes(request), deadline, progress);
  child_.give(stream, deadline, progress);
  DecodedFrame answer;
  child_.take(plainBytes(answer), deadline, progress);
  if (answer.mark != DecodedFrame::kMark || answer.done > 1) throw GuardedChild::Lost{};
  if (answer.done == 0)
    throw Error(quoted(file) + " cannot be read as DICOM", "its compressed image is damaged",
                "copy or export it again");
  if (answer.bytes != numbers.size()) throw GuardedChild::Lost{};
  child_.take(numbers, deadline, progress);
} catch (const GuardedChild::Lost&) {
  child_.end();
  throw Error(quoted(file) + " cannot be read as DICOM", "its compressed image makes the decoder fail",
              "copy or export it again, without compression");
} catch (const GuardedChild::Late&) {
  child_.end();
  throw Error(quoted(file) + " cannot be read as DICOM", "its compressed image takes too long to decode",
              "copy or export it again, without compression");
} catch (...) {
  child_.end();  // its answer must not be taken for that to a later frame
  throw;
}

}  // namespace sulcus::io
