#include "core/io/volumes/nrrd_header.h"

#include "core/io/surfaces/mesh_files.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr std::array kNrrdFields{"content",
                                 "number",
                                 "type",
                                 "block size",
                                 "dimension",
                                 "space",
                                 "sizes",
                                 "space dimension",
                                 "spacings",
                                 "thicknesses",
                                 "axis mins",
                                 "axis maxs",
                                 "centers",
                                 "centerings",
                                 "kinds",
                                 "labels",
                                 "units",
                                 "min",
                                 "max",
                                 "old min",
                                 "old max",
                                 "endian",
                                 "encoding",
                                 "line skip",
                                 "byte skip",
                                 "sample units",
                                 "space units",
                                 "space origin",
                                 "space directions",
                                 "measurement frame",
                                 "data file"};

/// The name of a field as in kNrrdFields, ignoring case and blanks; "" for any other text.
std::string fieldNamed(std::string_view text) {
  const auto bare = [](std::string_view name) {
    std::string letters = lowered(name);
    std::erase(letters, ' ');
    return letters;
  };
  const std::string wanted = bare(text);
  for (const char* const field : kNrrdFields)
    if (bare(field) == wanted) return field;
  return "";
}

}  // namespace

NrrdHeader readNrrdHeader(const fs::path& file) {
  NrrdHeader header{HeaderFields(file), {}, 0};
  HeaderLines lines(file);
  const std::string mark = lines.next().value_or("");
  if (mark.size() != 8 || !mark.starts_with("NRRD000") || mark[7] < '1' || mark[7] > '6')
    lines.fail(quotedWord(mark) + " is none of the versions NRRD0001 to NRRD0006");
  while (const auto line = lines.next()) {
    if (line->empty()) break;
    if (line->front() == '#') continue;
    const std::string_view text = *line;
    const auto colon = text.find(':');
    if (colon == text.npos) lines.fail(quotedWord(text) + " is not a field with a value");
    const std::string field = fieldNamed(trimmed(text.substr(0, colon)));
    const auto pair = text.find(":=");
    if (!field.empty() && pair != colon) {
      header.fields.add(field, trimmed(text.substr(colon + 1)));
    } else if (pair == text.npos || pair == 0) {
      lines.fail(quotedWord(text.substr(0, colon)) + " is not a field of the format");
    } else {
      const auto [at, fresh] = header.pairs.emplace(text.substr(0, pair), trimmed(text.substr(pair + 2)));
      if (!fresh && at->second != trimmed(text.substr(pair + 2)))
        lines.fail(quotedWord(at->first) + " is given twice, as " + quotedWord(at->second) + " and as " +
                   quotedWord(trimmed(text.substr(pair + 2))));
    }
  }
  header.end = lines.position();
  return header;
}

NrrdSpace nrrdSpace(const HeaderFields& fields) {
  struct Known {
    const char *name, *brief;
    double right, front;
    bool named;
  };
  static constexpr Known kKnown[] = {
      {"right-anterior-superior", "ras", 1, 1, true},   {"left-anterior-superior", "las", -1, 1, true},
      {"left-posterior-superior", "lps", -1, -1, true}, {"scanner-xyz", "", -1, -1, false},
      {"3d-right-handed", "", -1, -1, false},           {"3d-left-handed", "", -1, -1, false}};
  NrrdSpace space;
  if (fields.has("space")) {
    const std::string name = lowered(fields.text("space"));
    for (const Known& known : kKnown)
      for (const auto& [text, dimensions] :
           {std::pair{std::string(known.name), 3}, std::pair{std::string(known.name) + "-time", 4},
            std::pair{std::string(known.brief), 3}, std::pair{std::string(known.brief) + "t", 4}})
        if (name == text && text.size() > 2)
          space = {std::size_t(dimensions), known.right, known.front, known.named};
    if (space.dimensions == 0)
      fields.fail("space", "the spaces known here are LPS, RAS, LAS, their long names and those with time");
  }
  if (fields.has("space dimension")) {
    const auto dimensions = std::size_t(fields.wholeNumber("space dimension", 2, 4));
    if (space.dimensions != 0 && space.dimensions != dimensions)
      fields.fail("space dimension", "the space is " + quotedWord(fields.text("space")));
    space.dimensions = dimensions;
  }
  return space;
}

namespace {

/// The numbers between the brackets of a vector.
std::vector<double> vectorIn(std::string inside, const HeaderFields& fields, const std::string& name,
                             std::size_t dimensions) {
  std::replace(inside.begin(), inside.end(), ',', ' ');
  std::vector<double> numbers;
  for (const auto word : wordsOf(inside)) {
    const auto value = numberOf(word);
    if (!value || !std::isfinite(*value)) fields.fail(name, quotedWord(word) + " is not a finite number");
    numbers.push_back(*value);
  }
  if (numbers.size() != dimensions)
    fields.fail(name, "a vector has " + std::to_string(numbers.size()) + " numbers in a space of " +
                          std::to_string(dimensions) + " dimensions");
  return numbers;
}

}  // namespace

std::vector<std::optional<std::vector<double>>> nrrdVectors(const HeaderFields& fields,
                                                            const std::string& name, std::size_t dimensions) {
  std::vector<std::optional<std::vector<double>>> vectors;
  std::string_view rest = fields.text(name);
  while (!(rest = trimmed(rest)).empty()) {
    const bool none = rest.starts_with("none");
    const auto close = none ? 3 : rest.find(')');
    if (!none && (rest[0] != '(' || close == rest.npos))
      fields.fail(name, "vectors in round brackets, or none, are needed");
    if (none)
      vectors.push_back(std::nullopt);
    else
      vectors.push_back(vectorIn(std::string(rest.substr(1, close - 1)), fields, name, dimensions));
    rest.remove_prefix(close + 1);
  }
  return vectors;
}

}  // namespace sulcus::io
