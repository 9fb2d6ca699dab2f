#include "core/io/dicom/dicom_decoder.h"

#include "tests/core/io/io_test_support.h"
#include "tests/core/io/streams/code_streams.h"

#include <cerrno>
#include <csignal>
#include <fstream>
#include <thread>

#include <sys/wait.h>

namespace sulcus::io {
namespace {

using namespace test;

const std::filesystem::path kFile = "scan.dcm";

/// A request to decode the first picture of the code streams.
struct Request {
  CodedFrame frame;
  std::string bytes = kCodeStreams[0].bytes;
  std::vector<char> numbers;

  Request() {
    frame.codec = Codec::jpeg;
    frame.columns = 8, frame.rows = 6;
    frame.bitsAllocated = 16, frame.bitsStored = 12;
    frame.codedBytes = bytes.size();
    numbers.resize(frame.decodedBytes());
  }
  void send(DicomDecoder& decoder, const Progress& progress = {}) {
    decoder.decode(kFile, frame, bytes, numbers, progress);
  }
};

/// Expects that no child process remains, running or zombie.
void expectNoChild() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(DicomDecoder, DecodesOneFrameAfterTheOther) {
  {
    DicomDecoder decoder;
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
  DicomDecoder decoder;
  Request damaged;
  damaged.bytes = std::string(damaged.bytes.size(), 'x');
  expectError([&] { damaged.send(decoder); }, {"scan.dcm", "compressed image"});
  expectNoChild();
  Request().send(decoder);
}

TEST(DicomDecoder, ItsDeathOrNonsenseIsASentence) {
  // These programs exit at once, echo the request, or answer more than that.
  for (const char* program : {"/bin/true", "/bin/false", "/bin/cat", "/usr/bin/yes"}) {
    DicomDecoder decoder(program);
    expectError([&] { Request().send(decoder); }, {"scan.dcm", "makes the decoder fail"});
    expectNoChild();
  }
}

/// The value in the line of a process's status that begins with `name`; empty if there is none.
std::string statusOf(const std::string& process, const std::string& name) {
  std::ifstream status("/proc/" + process + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name)) return line.substr(name.size());
  return {};
}

TEST(DicomDecoder, MayAskTheSystemForNothingButMemory) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer asks the system for more, so the decoder is not confined";
#endif
  if (statusOf("self", "Seccomp_filters:").empty()) GTEST_SKIP() << "this system does not confine processes";
  DicomDecoder decoder;
  Request().send(decoder);
  std::ifstream children("/proc/thread-self/children");
  std::string child;
  ASSERT_TRUE(children >> child);
  EXPECT_EQ(std::stoi(statusOf(child, "Seccomp:")), 2) << "calls of the system are not filtered";
}

TEST(DicomDecoder, MemoryIsBounded) {
  DicomDecoder decoder;
  Request request;  // announced to be much longer than allowed
  request.frame.codedBytes = std::uint64_t(1) << 62;
  expectError([&] { request.send(decoder); }, {"scan.dcm", "makes the decoder fail"});
  expectNoChild();
}

TEST(DicomDecoder, CancelEndsTheWaiting) {
  DicomDecoder decoder("/usr/bin/wc");  // which answers only at the end of its input
  std::stop_source stop;
  const std::jthread canceller([&] { stop.request_stop(); });
  EXPECT_THROW(Request().send(decoder, Progress(stop.get_token(), {})), Cancelled);
  expectNoChild();
}

TEST(DicomDecoder, IsMissedByName) {
  DicomDecoder decoder("/nowhere/sulcus-dicom");
  expectError([&] { Request().send(decoder); }, {"'sulcus-dicom' is not next to this one"},
              ErrorKind::unavailable);
}

}  // namespace
}  // namespace sulcus::io
