#include "core/io/surfaces/xml_tree.h"

#include "core/io/surfaces/mesh_files.h"

#include <algorithm>
#include <memory>
#include <new>
#include <type_traits>

#include <expat.h>

namespace sulcus::io {
namespace {

constexpr std::size_t kMostElements = 100'000, kDeepestElement = 32, kMostAttributes = 100;

struct Building {
  XML_Parser parser = nullptr;
  XmlElement root;
  std::vector<XmlElement*> open;
  std::size_t elements = 0;
  const char* refused = nullptr;

  void refuse(const char* why) {
    refused = why;
    XML_StopParser(parser, XML_FALSE);
  }
};

void startElement(void* data, const char* name, const char** attributes) {
  auto& building = *static_cast<Building*>(data);
  if (++building.elements > kMostElements) return building.refuse("it has too many elements");
  if (building.open.size() >= kDeepestElement) return building.refuse("its elements are nested too deeply");
  XmlElement* element = &building.root;
  if (!building.open.empty()) element = &building.open.back()->children.emplace_back();
  element->name = name;
  for (; attributes[0]; attributes += 2) {
    element->attributes[attributes[0]] = attributes[1];
    if (element->attributes.size() > kMostAttributes)
      return building.refuse("an element has too many attributes");
  }
  building.open.push_back(element);
}

void endElement(void* data, const char*) {
  auto& building = *static_cast<Building*>(data);
  if (!building.open.empty()) building.open.pop_back();
}

void addText(void* data, const char* text, int length) {
  auto& building = *static_cast<Building*>(data);
  if (!building.open.empty()) building.open.back()->text.append(text, std::size_t(length));
}

// None of these formats needs custom entities, and an entity can expand to gigabytes.
void refuseEntity(void* data, const char*, int, const char*, int, const char*, const char*, const char*,
                  const char*) {
  static_cast<Building*>(data)->refuse("it defines entities");
}

}  // namespace

const XmlElement* XmlElement::child(std::string_view childName) const {
  const auto found = std::find_if(children.begin(), children.end(),
                                  [&](const XmlElement& element) { return element.name == childName; });
  return found == children.end() ? nullptr : &*found;
}

std::string XmlElement::attribute(const std::string& key) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? "" : found->second;
}

XmlElement parseXml(std::string_view bytes, const std::string& name) {
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate(nullptr), XML_ParserFree);
  if (!parser) throw std::bad_alloc();
  Building building;
  building.parser = parser.get();
  XML_SetUserData(parser.get(), &building);
  XML_SetElementHandler(parser.get(), startElement, endElement);
  XML_SetCharacterDataHandler(parser.get(), addText);
  XML_SetEntityDeclHandler(parser.get(), refuseEntity);
  constexpr std::size_t kPart = std::size_t(1) << 24;
  bool last = false;
  while (!last) {
    const std::string_view part = bytes.substr(0, kPart);
    bytes.remove_prefix(part.size());
    last = bytes.empty();
    if (XML_Parse(parser.get(), part.data(), int(part.size()), last) != XML_STATUS_OK)
      failMesh(name, building.refused
                         ? building.refused
                         : std::string("as XML: ") + XML_ErrorString(XML_GetErrorCode(parser.get())) +
                               " in line " + std::to_string(XML_GetCurrentLineNumber(parser.get())));
  }
  return std::move(building.root);
}

std::string xmlText(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c >= 0 && c < ' ' ? ' ' : c;
    }
  }
  return result;
}

}  // namespace sulcus::io
