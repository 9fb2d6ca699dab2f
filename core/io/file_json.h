#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

// The one way JSON comes in and goes out; keys keep their order.
namespace sulcus::io {

/// Throws Error, which names the file, shows where it is wrong and quotes little of it, for what openText()
/// refuses, no JSON, a key that occurs twice in one object, more than 64 levels, 10 000 keys in one object or
/// 100 000 in all.
nlohmann::ordered_json openJson(const std::filesystem::path& file);
/// The same for a text that messages call `name`.
nlohmann::ordered_json parseJson(const std::string& text, const std::string& name);

/// The text of any JSON: what is no UTF-8 in it is replaced, never thrown at. `indent` -1: all in one line.
std::string jsonText(const nlohmann::ordered_json& json, int indent = 2);

}  // namespace sulcus::io
