#include "core/io/streams/zip.h"

#include "core/base/error.h"
#include "core/io/dicom/dicom_elements.h"
#include "core/io/streams/zip_archive.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

/// Writes an entry to `to` if it is DICOM; returns whether it did.
bool unpack(const ZipArchive& archive, const ZipEntry& entry, const fs::path& zip, const fs::path& to) {
  if (entry.unpacked < kDicomStart || entry.packed == 0) return false;
  std::ofstream out;
  bool isDicom = true;
  archive.read(entry, [&](std::span<const char> bytes) {
    if (!out.is_open()) {
      isDicom = startsAsDicom(std::string_view(bytes.data(), std::min(bytes.size(), kDicomStart)));
      if (!isDicom) return false;
      out.open(to, std::ios::binary);
    }
    out.write(bytes.data(), std::streamsize(bytes.size()));
    return true;
  });
  if (isDicom && !out.flush())
    throw Error(quoted(zip) + " cannot be unpacked", "there is no room in the folder for temporary files",
                "free some, or set TMPDIR to another folder", ErrorKind::unavailable);
  return isDicom;
}

}  // namespace

std::vector<fs::path> unpackDicom(const fs::path& zip, const fs::path& folder, const Progress& progress) {
  const ZipArchive archive(zip);
  std::uint64_t bytes = 0;
  for (const ZipEntry& entry : archive.entries()) {
    archive.requirePlausible(entry);
    bytes += entry.unpacked;
  }
  if (bytes > fs::space(folder).available)
    throw Error(
        quoted(zip) + " cannot be unpacked",
        "it declares " + byteText(double(bytes)) + ", for which the folder for temporary files has no room",
        "free some, or set TMPDIR to another folder", ErrorKind::unavailable);
  std::vector<fs::path> files;
  for (std::size_t i = 0; i < archive.entries().size(); ++i) {
    progress.update(double(i) / double(archive.entries().size()));
    const fs::path to = folder / (std::to_string(1'000'000 + i) + ".dcm");
    if (unpack(archive, archive.entries()[i], zip, to)) files.push_back(to);
  }
  return files;
}

}  // namespace sulcus::io
