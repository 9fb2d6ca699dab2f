#include "core/io/streams/unpackers.h"

#include "core/io/streams/byte_source.h"
#include "tests/core/io/io_test_support.h"

#include <random>

#include <bzlib.h>
#include <zstd.h>

namespace sulcus::io {
namespace {

using namespace test;

using Pack = std::string (*)(const std::string&);

std::string bzip2Of(const std::string& bytes) {
  std::string packed(bytes.size() + bytes.size() / 50 + 700, '\0');
  auto size = unsigned(packed.size());
  BZ2_bzBuffToBuffCompress(packed.data(), &size, const_cast<char*>(bytes.data()), unsigned(bytes.size()), 1,
                           0, 0);
  packed.resize(size);
  return packed;
}
std::string zstdOf(const std::string& bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);  // like the program zstd
  packed.resize(ZSTD_compress2(context.get(), packed.data(), packed.size(), bytes.data(), bytes.size()));
  return packed;
}

class Unpackers : public testing::TestWithParam<Pack> {
 protected:
  Unpackers() {
    std::mt19937 random(1);
    for (char& c : bytes_) c = char(random() % 5 + random() % 3);
  }
  std::string unpacked(const std::string& packed) {
    writeBytes(folder_ / "f", packed);
    ByteSource source(folder_ / "f");
    EXPECT_TRUE(source.compressed());
    std::string all(bytes_.size() * 3, '\0');
    std::size_t got = 0;
    for (std::size_t step = 1; const std::size_t some = source.readSome(std::span(all).subspan(got, step));
         step = std::min(step * 3, all.size() - got - some))
      got += some;
    return all.substr(0, got);
  }
  TemporaryFolder folder_;
  std::string bytes_ = std::string(500'000, '\0');
};

TEST_P(Unpackers, GiveBackWhatWasPacked) {
  const std::string packed = GetParam()(bytes_);
  EXPECT_LT(packed.size(), bytes_.size());
  EXPECT_EQ(unpacked(packed), bytes_);
  EXPECT_EQ(unpacked(packed + GetParam()("and more")),
            bytes_ + "and more");  // as written by parallel compressors
}

TEST_P(Unpackers, OpenAScan) {
  writeBytes(folder_ / "scan.nii.packed", GetParam()(Nifti1().countingFile()));
  EXPECT_EQ(seriesOf(openVolume(folder_ / "scan.nii.packed")).values[5], 5);
}

TEST_P(Unpackers, SayWhatIsWrong) {
  const std::string packed = GetParam()(bytes_);
  expectError([&] { unpacked(packed.substr(0, packed.size() - 7)); }, {"'f' ends too early", "cut off"});
  std::string damaged = packed;
  for (std::size_t i = 2000; i < 2400; ++i) damaged[i] = char(~damaged[i]);
  EXPECT_THROW(EXPECT_NE(unpacked(damaged), bytes_), Error);
}

INSTANTIATE_TEST_SUITE_P(, Unpackers, testing::Values(&bzip2Of, &zstdOf));

TEST(UnpackerOf, IsEmptyForOtherFiles) {
  const auto pull = [](std::span<char>) { return std::size_t(0); };
  for (const std::string begin : {"", "B", "BZh", "BZh9 a text about", "\x28\xb5\x2f", "\x1f\x8b\x08"})
    EXPECT_FALSE(unpackerOf(begin, pull)) << begin;
}

}  // namespace
}  // namespace sulcus::io
