#include "core/base/error.h"
#include "core/io/byte_source.h"
#include "core/io/formats.h"

#include <algorithm>
#include <cctype>
#include <map>

#include <zlib.h>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

struct MetaHeader {
  std::map<std::string, std::string> keys;
  std::uint64_t end = 0;  ///< first byte behind the line of ElementDataFile
};

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// "Key = value" lines; ElementDataFile is the last one by definition.
MetaHeader headerOf(ByteSource& source) {
  std::string text(1 << 16, '\0');
  text.resize(source.readSome(text));
  MetaHeader header;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const auto equals = line.find('=');
    if (equals == line.npos) continue;
    const std::string key = trimmed(line.substr(0, equals));
    header.keys[key] = trimmed(line.substr(equals + 1));
    header.end = std::min(at, text.size());
    if (key == "ElementDataFile") break;
  }
  return header;
}

bool isTrue(const std::string& value) {
  return !value.empty() && (value[0] == 'T' || value[0] == 't' || value[0] == '1');
}

/// Inflates what is left of `source` (zlib or gzip wrapper) into exactly `bytes` bytes.
std::vector<char> inflateRest(ByteSource& source, std::uint64_t bytes, const fs::path& file) {
  struct Inflater {
    z_stream z{};
    Inflater() { inflateInit2(&z, 15 + 32); }
    ~Inflater() { inflateEnd(&z); }
  } inflater;
  z_stream& z = inflater.z;
  std::vector<char> out(bytes), in(1 << 16);
  std::uint64_t done = 0;
  int state = Z_OK;
  while (state == Z_OK && done < bytes) {
    if (z.avail_in == 0) {
      z.avail_in = unsigned(source.readSome(in));
      z.next_in = reinterpret_cast<Bytef*>(in.data());
      if (z.avail_in == 0) break;
    }
    const auto room = unsigned(std::min<std::uint64_t>(bytes - done, 1u << 30));
    z.next_out = reinterpret_cast<Bytef*>(out.data() + done), z.avail_out = room;
    state = inflate(&z, Z_NO_FLUSH);
    done += room - z.avail_out;
  }
  if (done < bytes)
    throw Error(quoted(file) + " is damaged",
                "its compressed numbers end after " + std::to_string(done) + " of " + std::to_string(bytes) +
                    " bytes",
                "copy or download it again");
  return out;
}

}  // namespace

void requireMetaImageHeader(const fs::path& file) {
  ByteSource source(file);
  MetaHeader header = headerOf(source);
  const std::string dimensions = header.keys["NDims"], sizes = header.keys["DimSize"];
  if (dimensions != "2" && dimensions != "3" && dimensions != "4")
    throw Error(quoted(file) + " has '" + dimensions.substr(0, 20) + "' dimensions",
                "Sulcus reads 2D to 4D scans", "check the header (NDims), or split it into 4D files");
  const auto gaps = std::count(sizes.begin(), sizes.end(), ' ') + 1;
  if (sizes.empty() || sizes.find_first_not_of("0123456789 ") != sizes.npos || gaps < dimensions[0] - '0')
    throw Error(quoted(file) + " has a size of '" + sizes.substr(0, 40) + "'",
                "one whole number per dimension is needed", "correct the header (DimSize)");
}

std::vector<char> readMetaImageNumbers(const fs::path& file, std::uint64_t bytes) {
  auto source = std::make_unique<ByteSource>(file);
  MetaHeader header = headerOf(*source);
  const std::string where = header.keys["ElementDataFile"];
  fs::path dataFile = file;
  std::uint64_t start = header.end;
  if (where != "LOCAL" && where != "Local" && where != "local") {
    // A plain name only: a header must not lead to files elsewhere.
    if (where.empty() || where == "LIST" || where.find_first_of("%/\\ ") != where.npos)
      throw Error(quoted(file) + " keeps its numbers in '" + where.substr(0, 60) + "'",
                  "only the file itself or one file beside it can be read", "save it as one .mha file");
    dataFile = file.parent_path() / where;
    start = 0;
  }
  const std::string skip = header.keys["HeaderSize"];
  if (!skip.empty() && skip != "0")
    throw Error(quoted(file) + " asks to skip " + skip.substr(0, 20) + " bytes (HeaderSize)",
                "that is not supported", "save it as one .mha file");
  if (const std::string binary = header.keys["BinaryData"]; !binary.empty() && !isTrue(binary))
    throw Error(quoted(file) + " holds its numbers as text", "that is not supported",
                "save it with BinaryData = True");
  source = std::make_unique<ByteSource>(dataFile);
  if (isTrue(header.keys["CompressedData"])) {
    source->requirePlausible(bytes);
    source->skipTo(start);
    return inflateRest(*source, bytes, dataFile);
  }
  source->requireRoomFor(start + bytes);
  source->skipTo(start);
  std::vector<char> numbers(bytes);
  source->read(numbers);
  return numbers;
}

}  // namespace sulcus::io
