#include "core/io/dicom_decoder.h"

#include "tests/core/io/code_streams.h"
#include "tests/core/io/io_test_support.h"

#include <cerrno>
#include <csignal>
#include <thread>

#include <sys/wait.h>

namespace sulcus {
namespace {

using namespace test;

const std::filesystem::path kFile = "scan.dcm";

/// The first picture of the code streams, for a decoder.
struct Request {
  io::CodedFrame frame;
  std::string bytes = kCodeStreams[0].bytes;
  std::vector<char> numbers;

  Request() {
    frame.codec = io::Codec::jpeg;
    frame.columns = 8, frame.rows = 6;
    frame.bitsAllocated = 16, frame.bitsStored = 12;
    frame.codedBytes = bytes.size();
    numbers.resize(frame.decodedBytes());
  }
  void send(io::DicomDecoder& decoder, const Progress& progress = {}) {
    decoder.decode(kFile, frame, bytes, numbers, progress);
  }
};

/// No process of ours is left, alive or dead.
void expectNoChild() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(DicomDecoder, DecodesOneFrameAfterTheOther) {
  {
    io::DicomDecoder decoder;
    for (int i = 0; i < 3; ++i) {
      Request request;
      request.send(decoder);
      for (int v = 0; v < 48; ++v) {
        std::uint16_t value = 0;
        std::memcpy(&value, request.numbers.data() + 2 * v, 2);
        EXPECT_EQ(value, 3 * (v % 8) + 200 * (v / 8));
      }
    }
  }
  expectNoChild();
}

TEST(DicomDecoder, GoesOnAfterADamagedFrame) {
  io::DicomDecoder decoder;
  Request damaged;
  damaged.bytes = std::string(damaged.bytes.size(), 'x');
  expectError([&] { damaged.send(decoder); }, {"scan.dcm", "compressed image"});
  expectNoChild();
  Request().send(decoder);
}

TEST(DicomDecoder, ItsDeathOrNonsenseIsASentence) {
  // It ends at once; says what it was asked; says more than that.
  for (const char* program : {"/bin/true", "/bin/false", "/bin/cat", "/usr/bin/yes"}) {
    io::DicomDecoder decoder(program);
    expectError([&] { Request().send(decoder); }, {"scan.dcm", "makes the decoder fail"});
    expectNoChild();
  }
}

TEST(DicomDecoder, MemoryIsBounded) {
  io::DicomDecoder decoder;
  Request request;  // that is announced to be much longer than it is allowed to be
  request.frame.codedBytes = std::uint64_t(1) << 62;
  expectError([&] { request.send(decoder); }, {"scan.dcm", "makes the decoder fail"});
  expectNoChild();
}

TEST(DicomDecoder, CancelEndsTheWaiting) {
  io::DicomDecoder decoder("/usr/bin/wc");  // which says nothing before all has been said
  std::stop_source stop;
  const std::jthread canceller([&] { stop.request_stop(); });
  EXPECT_THROW(Request().send(decoder, Progress(stop.get_token(), {})), Cancelled);
  expectNoChild();
}

TEST(DicomDecoder, IsMissedByName) {
  io::DicomDecoder decoder("/nowhere/sulcus-dicom");
  expectError([&] { Request().send(decoder); }, {"'sulcus-dicom' is not beside this one"},
              ErrorKind::unavailable);
}

}  // namespace
}  // namespace sulcus
