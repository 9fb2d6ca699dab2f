#include "tests/bench/table.h"

#include "tests/bench/format.h"

#include <nlohmann/json.hpp>

namespace sulcus::bench {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

std::string textOf(const std::vector<StageTime>& stages) {
  std::string text;
  for (const auto& stage : stages)
    text += format("%s%s %.3f", text.empty() ? "" : " ", stage.name.c_str(), stage.seconds);
  return text;
}

nlohmann::json jsonCell(const Cell& cell) {
  return std::visit(Overloaded{[](std::monostate) { return nlohmann::json(); },
                               [](const std::vector<StageTime>& stages) {
                                 nlohmann::json seconds;
                                 for (const auto& stage : stages) seconds[stage.name] = stage.seconds;
                                 return seconds;
                               },
                               [](const auto& value) { return nlohmann::json(value); }},
                    cell);
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

std::string csvCell(const Cell& cell) {
  return std::visit(Overloaded{[](std::monostate) { return std::string(); },
                               [](const std::string& text) { return quoted(text); },
                               [](std::int64_t value) { return std::to_string(value); },
                               [](double value) { return format("%.9g", value); },
                               [](const std::vector<StageTime>& stages) { return quoted(textOf(stages)); }},
                    cell);
}

}  // namespace

std::string shownText(const Cell& cell, const Shown& shown) {
  const auto number = [&](double value, const char* usual) -> std::string {
    const char* const pattern = shown.pattern ? shown.pattern : usual;
    return value > shown.above ? format(pattern, value * shown.scale) : "–";
  };
  return std::visit(Overloaded{[](std::monostate) { return std::string("–"); },
                               [](const std::string& text) { return text; },
                               [&](std::int64_t value) { return number(double(value), "%.0f"); },
                               [&](double value) { return number(value, "%.4g"); },
                               [](const std::vector<StageTime>& stages) { return textOf(stages); }},
                    cell);
}

std::string markdown(const Table& table) {
  std::string head = "|", rule = "|", body;
  for (const auto& column : table.columns)
    if (!column.title.empty()) head += " " + column.title + " |", rule += "---|";
  for (const auto& row : table.rows) {
    body += "|";
    for (std::size_t c = 0; c < row.size(); ++c)
      if (!table.columns[c].title.empty()) body += " " + shownText(row[c], table.columns[c].shown) + " |";
    body += "\n";
  }
  return head + "\n" + rule + "\n" + body;
}

nlohmann::json jsonOf(const Table& table) {
  auto rows = nlohmann::json::array();
  for (const auto& row : table.rows) {
    nlohmann::json object;
    for (std::size_t c = 0; c < row.size(); ++c) object[table.columns[c].name] = jsonCell(row[c]);
    rows.push_back(std::move(object));
  }
  return rows;
}

std::string csv(const Table& table) {
  std::string text;
  for (const auto& column : table.columns) {
    const bool plain = column.name.find_first_of(",\"") == std::string::npos;
    text += (text.empty() ? "" : ",") + (plain ? column.name : quoted(column.name));
  }
  text += "\n";
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < row.size(); ++c) text += csvCell(row[c]) + (c + 1 < row.size() ? "," : "\n");
  return text;
}

}  // namespace sulcus::bench
