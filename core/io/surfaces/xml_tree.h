#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sulcus::io {

/// An element of an XML text, parsed by Expat.
struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  ///< excluding that of its children
  std::vector<XmlElement> children;

  /// The first child of that name; null if there is none.
  const XmlElement* child(std::string_view childName) const;
  /// The value of an attribute; empty if missing.
  std::string attribute(const std::string& key) const;
};

/// The root of an XML text. Throws Error, which names `name`, for text that is not XML, for custom entities,
/// and for more than 100 000 elements, 32 levels or 100 attributes of an element.
XmlElement parseXml(std::string_view bytes, const std::string& name);
/// Escapes the characters that have a meaning in XML.
std::string xmlText(std::string_view text);

}  // namespace sulcus::io
