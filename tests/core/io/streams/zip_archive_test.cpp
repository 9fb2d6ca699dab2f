#include "core/io/streams/zip_archive.h"

#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;

std::string readAll(const ZipArchive& archive, const ZipEntry& entry) {
  std::string all;
  archive.read(entry, [&](std::span<const char> bytes) {
    all.append(bytes.data(), bytes.size());
    return true;
  });
  return all;
}

class ZipArchives : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::vector<std::pair<std::string, std::string>>& files) {
    const auto path = folder_ / "a.zip";
    ZipWriter zip(path, path, {});
    for (const auto& [name, bytes] : files) zip.begin(name), zip.write(bytes);
    zip.close();
    return path;
  }
  TemporaryFolder folder_;
};

TEST_F(ZipArchives, ComeBack) {
  const std::string large(9'000'000, 'x');
  const auto file = write({{"a", "first"}, {"folder/b", large}, {"empty", ""}});
  EXPECT_TRUE(isZip(file));
  const ZipArchive archive(file);
  ASSERT_EQ(archive.entries().size(), 3u);
  EXPECT_EQ(archive.entries()[1].name, "folder/b");
  EXPECT_EQ(readAll(archive, archive.entries()[0]), "first");
  EXPECT_EQ(readAll(archive, archive.entries()[1]), large);
  EXPECT_EQ(readAll(archive, archive.entries()[2]), "");
  std::string to(large.size(), '\0');
  archive.read(archive.entries()[1], to, {});
  EXPECT_EQ(to, large);
}

TEST_F(ZipArchives, DamageIsFound) {
  const auto file = write({{"a", "first"}});
  std::string bytes = readBytes(file);
  const std::size_t content = bytes.find("first");
  bytes[content] = 'F';
  writeBytes(file, bytes);
  const ZipArchive archive(file);
  expectError([&] { readAll(archive, archive.entries()[0]); }, {"checksum"});
  for (const std::size_t size : {bytes.size() - 1, bytes.size() - 23, std::size_t(30)}) {
    writeBytes(file, bytes.substr(0, size));
    expectError([&] { ZipArchive cut(file); }, {"is a ZIP archive that cannot be read"});
  }
}

/// Replaces the sizes in the directory by 64-bit ones in a field after the name.
TEST_F(ZipArchives, OfTheFormOfLargeOnesAreRead) {
  const auto file = write({{"a", "first"}});
  Bytes bytes{readBytes(file)};
  const std::size_t entry = bytes.data.find("PK\1\2");
  Bytes field;
  field.put(0, std::uint16_t(1)), field.put(2, std::uint16_t(24));
  for (std::size_t i = 0; i < 2; ++i) field.put(4 + 8 * i, std::uint64_t(5));
  field.put(20, std::uint64_t(0));
  std::string directory = bytes.data.substr(entry, 47);
  Bytes patched{directory};
  for (const std::size_t at : {20, 24, 42}) patched.put(at, std::uint32_t(0xffffffff));
  patched.put(30, std::uint16_t(28));
  directory = patched.data + field.data;
  Bytes end;
  end.data = "PK\6\6";
  end.put(4, std::uint64_t(44)), end.put(24, std::uint64_t(1)), end.put(32, std::uint64_t(1));
  end.put(40, std::uint64_t(directory.size())), end.put(48, std::uint64_t(entry));
  Bytes place;
  place.data = "PK\6\7";
  place.put(8, std::uint64_t(entry + directory.size())), place.put(16, std::uint32_t(1));
  Bytes last;
  last.data = "PK\5\6";
  last.put(8, std::uint16_t(0xffff)), last.put(10, std::uint16_t(0xffff));
  last.put(12, std::uint32_t(0xffffffff)), last.put(16, std::uint32_t(0xffffffff)),
      last.put(20, std::uint16_t(0));
  writeBytes(file, bytes.data.substr(0, entry) + directory + end.data + place.data + last.data);
  const ZipArchive archive(file);
  EXPECT_EQ(readAll(archive, archive.entries().at(0)), "first");
  // An impossible number of entries.
  end.put(32, std::uint64_t(1) << 40);
  writeBytes(file, bytes.data.substr(0, entry) + directory + end.data + place.data + last.data);
  expectError([&] { ZipArchive many(file); }, {"declares 1099511627776 files"});
}

TEST_F(ZipArchives, OfSizesThatDeflateCannotReachAreRefused) {
  const auto file = write({{"a", "first"}});
  Bytes bytes{readBytes(file)};
  const std::size_t entry = bytes.data.find("PK\1\2");
  bytes.put(entry + 10, std::uint16_t(8)), bytes.put(entry + 24, std::uint32_t(4'000'000'000));
  writeBytes(file, bytes.data);
  const ZipArchive archive(file);
  expectError([&] { archive.requirePlausible(archive.entries()[0]); }, {"cannot have the size"});
}

}  // namespace
}  // namespace sulcus::io
