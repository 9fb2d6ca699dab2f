#include "core/toolkits/itk_reason.h"

#include <cctype>

namespace sulcus::toolkits {

std::string itkReason(std::string text) {
  for (char& c : text)
    if (!std::isprint((unsigned char)c)) c = ' ';
  // The reason comes after the names of classes and callers.
  if (const auto colon = text.find("): "); colon != std::string::npos) text = text.substr(colon + 3);
  const auto first = text.find_first_not_of(' ');
  text = first == std::string::npos ? "no reason given" : text.substr(first);
  if (text.size() > 200) text = text.substr(0, 200) + "…";
  return text;
}

}  // namespace sulcus::toolkits
