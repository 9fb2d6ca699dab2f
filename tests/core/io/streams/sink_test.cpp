#include "core/io/streams/sink.h"

#include "core/io/streams/byte_source.h"
#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;

std::string noise(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint32_t state = 1;
  for (char& c : bytes) state = state * 1664525 + 1013904223, c = char(state >> 24);
  return bytes;
}

class SinkTest : public testing::Test {
 protected:
  SinkTest() { writeBytes(file_, "what was there before is longer than what is written"); }
  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "a.bin";
};

TEST_F(SinkTest, WritesPlainBytes) {
  Sink sink(file_, file_, {});
  sink.write(std::string("header"));
  sink.replace(1, "EAD");
  EXPECT_EQ(sink.written(), 6u);
  sink.close();
  EXPECT_EQ(readBytes(file_), "hEADer");
}

TEST_F(SinkTest, CompressesFromSomewhereOn) {
  for (const auto wrapper : {Sink::Wrapper::gzip, Sink::Wrapper::zlib}) {
    const std::string numbers = noise(3'000'000) + std::string(3'000'000, 'x');
    {
      Sink sink(file_, file_, {});
      sink.write(std::string("header"));
      sink.deflateRest(wrapper);
      sink.write(numbers);
      sink.endDeflate();
      EXPECT_GT(sink.written(), 3'000'000u);
      EXPECT_LT(sink.written(), 3'100'000u);
      sink.close();
    }
    ByteSource source(file_);
    source.skipTo(6, {});
    source.inflateRest();
    std::string back(numbers.size() + 1, '\0');
    EXPECT_EQ(source.readSome(back), numbers.size());
    back.pop_back();
    EXPECT_TRUE(back == numbers);
  }
}

TEST_F(SinkTest, WholeGzipFilesAreReadByAnyone) {
  Sink sink(file_, file_, {});
  sink.deflateRest(Sink::Wrapper::gzip);
  sink.write(std::string("numbers"));
  sink.close();
  const gzFile in = gzopen(file_.c_str(), "rb");
  char back[20]{};
  EXPECT_EQ(gzread(in, back, sizeof back), 7);
  gzclose(in);
  EXPECT_STREQ(back, "numbers");
}

TEST_F(SinkTest, AFullDiskIsAnError) {
  const std::string numbers = noise(3'000'000);
  const auto filling = [&](bool compressed) {
    return [&, compressed] {
      Sink sink("/dev/full", file_, {});
      if (compressed) sink.deflateRest(Sink::Wrapper::zlib);
      sink.write(numbers);
      sink.close();
    };
  };
  for (const bool compressed : {false, true})
    expectError(filling(compressed), {"Cannot write 'a.bin'", "No space left", "free some space"});
  // The last bytes are written only on closing.
  expectError(
      [&] {
        Sink sink("/dev/full", file_, {});
        sink.deflateRest(Sink::Wrapper::gzip);
        sink.write(std::string("few"));
        sink.close();
      },
      {"Cannot write 'a.bin'", "No space left"});
}

TEST_F(SinkTest, CanBeCancelledAtEveryMegabyte) {
  std::stop_source stop;
  int updates = 0;
  const Progress progress(stop.get_token(), [&](double, std::string_view) {
    if (++updates == 3) stop.request_stop();
  });
  Sink sink(file_, file_, progress);
  EXPECT_THROW(sink.write(noise(10'000'000)), Cancelled);
  EXPECT_LE(sink.written(), 4'000'000u);
}

}  // namespace
}  // namespace sulcus::io
