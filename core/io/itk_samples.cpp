#include "core/io/itk_samples.h"

#include "core/base/error.h"

#include <cctype>

#include <itkCommonEnums.h>

namespace sulcus::io {

namespace fs = std::filesystem;

SampleType itkSampleType(int component, const fs::path& file) {
  using Component = itk::CommonEnums::IOComponent;
  switch (static_cast<Component>(component)) {
    case Component::UCHAR:
      return SampleType::u8;
    case Component::CHAR:
      return SampleType::i8;
    case Component::USHORT:
      return SampleType::u16;
    case Component::SHORT:
      return SampleType::i16;
    case Component::UINT:
      return SampleType::u32;
    case Component::INT:
      return SampleType::i32;
    case Component::ULONG:
    case Component::ULONGLONG:
      return SampleType::u64;
    case Component::LONG:
    case Component::LONGLONG:
      return SampleType::i64;
    case Component::FLOAT:
      return SampleType::f32;
    case Component::DOUBLE:
      return SampleType::f64;
    default:
      throw Error(quoted(file) + " holds numbers of an unknown type", "their size is not known",
                  "convert the scan to NIfTI");
  }
}

std::string itkReason(std::string text) {
  for (char& c : text)
    if (!std::isprint((unsigned char)c)) c = ' ';
  // Class names and callers come first, the reason last.
  if (const auto colon = text.find("): "); colon != std::string::npos) text = text.substr(colon + 3);
  const auto first = text.find_first_not_of(' ');
  text = first == std::string::npos ? "no reason given" : text.substr(first);
  if (text.size() > 200) text = text.substr(0, 200) + "…";
  return text;
}

}  // namespace sulcus::io
