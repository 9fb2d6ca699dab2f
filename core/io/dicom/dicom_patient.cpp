#include "core/io/dicom/dicom_patient.h"

#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/base/utf8.h"
#include "core/io/dicom/dicom_elements.h"
#include "core/io/dicom/dicom_folder.h"
#include "core/io/files.h"

#include <algorithm>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr DicomTag kCharacterSet = 0x00080005, kPatientName = 0x00100010;

/// Text as UTF-8; in character sets other than Latin 1 and UTF-8, letters remain bytes, which
/// sanitizedForDisplay() escapes.
std::string utf8(const std::string& text, const std::string& characterSet) {
  const bool latin1 = characterSet.empty() || characterSet == "ISO_IR 6" || characterSet == "ISO_IR 100";
  if (!latin1) return text;
  std::string converted;
  for (const char c : text) appendUtf8(converted, static_cast<unsigned char>(c));
  return converted;
}

/// "Family, Given Middle" from "Family^Given^Middle=…".
std::string readable(std::string name) {
  name = name.substr(0, name.find('='));
  if (const auto end = name.find('^'); end != std::string::npos) name.replace(end, 1, ", ");
  std::replace(name.begin(), name.end(), '^', ' ');
  while (!name.empty() && (name.back() == ' ' || name.back() == ',')) name.pop_back();
  return sanitizedForDisplay(name, 200);
}

}  // namespace

std::vector<std::string> patientNames(const fs::path& place, const Progress& progress) {
  std::error_code fault;
  const auto files =
      fs::is_directory(place, fault) ? dicomFilesBelow(place, isDicom, progress) : std::vector{place};
  std::vector<std::string> names;
  bool any = false;
  for (const fs::path& file : files) {
    progress.throwIfCancelled();
    try {
      ByteSource source(file);
      const DicomSet set = readDicomHeader(source, file, kPatientName + 1, {kCharacterSet, kPatientName}).set;
      any = true;
      const std::string name = readable(utf8(set.text(kPatientName), set.text(kCharacterSet)));
      if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    } catch (const Error&) {  // a damaged file states no name
    }
  }
  if (!any)
    throw Error(quoted(place) + " holds no DICOM file that can be read",
                "only DICOM files contain the patient's name", "look where the files of the scan are now");
  return names;
}

}  // namespace sulcus::io
