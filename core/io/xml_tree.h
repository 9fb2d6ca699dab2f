#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sulcus::io {

/// An element of an XML text, read by Expat.
struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  ///< of itself, without its children's
  std::vector<XmlElement> children;

  /// The first of that name; null when there is none.
  const XmlElement* child(std::string_view childName) const;
  /// Empty when there is none.
  std::string attribute(const std::string& key) const;
};

/// Throws Error for what is no XML, for entities of its own, and for more than 100 000 elements or 32 in one
/// another.
XmlElement parseXml(std::string_view bytes, const std::string& name);
/// With the characters that XML needs for itself replaced.
std::string xmlText(std::string_view text);

}  // namespace sulcus::io
