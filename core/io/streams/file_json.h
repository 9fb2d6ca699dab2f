#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

// The only place where JSON is parsed and written. Keys keep their order.
namespace sulcus::io {

/// The JSON in a file. Throws Error for a file that openText() refuses, for text that is not JSON, for a key
/// that occurs twice in one object, for more than 64 levels, 10 000 keys in one object or 100 000 in all, and
/// for values that would take more than 600 MB.
/// The error names the file, shows the place and quotes a little of it.
nlohmann::ordered_json openJson(const std::filesystem::path& file);
/// The JSON in a text, which messages call `name`; throws as openJson() does.
nlohmann::ordered_json parseJson(const std::string& text, const std::string& name);

/// A JSON object that another program wrote beside a scan.
struct CompanionJson {
  nlohmann::ordered_json object;  ///< empty if the file cannot be used
  std::string warning;            ///< "" if the file is valid JSON
};
/// The JSON object in a file that describes a scan but must not keep it from being opened. NaN and Infinity
/// are read as null; commas before a bracket, control characters and bytes that are not UTF-8 are repaired;
/// if a key occurs twice, the last value counts. The warning reports these, and a file that is not a JSON
/// object in spite of them. Throws nothing but std::bad_alloc.
CompanionJson openCompanionJson(const std::filesystem::path& file);

/// The text of any JSON. Bytes that are not UTF-8 appear as sanitizedForDisplay() writes them. An `indent` of
/// −1 writes all on one line.
std::string jsonText(const nlohmann::ordered_json& json, int indent = 2);

}  // namespace sulcus::io
