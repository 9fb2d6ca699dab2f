#include "core/io/streams/file_json.h"

#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;

/// The message of the Error for a file with this content.
std::string complaint(const std::string& text) {
  TemporaryFolder folder;
  writeBytes(folder / "p.json", text);
  return errorOf([&] { openJson(folder / "p.json"); });
}

TEST(OpenJson, KeepsTheOrderOfKeys) {
  TemporaryFolder folder;
  writeBytes(folder / "p.json", R"({"z": 1, "a": {"z": 2, "y": [{"z": 3}, {"z": 4}]}})");
  EXPECT_EQ(jsonText(openJson(folder / "p.json"), -1),
            "{\"z\":1,\"a\":{\"z\":2,\"y\":[{\"z\":3},{\"z\":4}]}}\n");
}

TEST(OpenJson, NamesTheFileAndThePlace) {
  const std::string said = complaint("{\"a\": 1,\n\"order\": four}");
  EXPECT_NE(said.find("'p.json' is not valid JSON"), said.npos) << said;
  EXPECT_NE(said.find("line 2, near '"), said.npos) << said;
  EXPECT_NE(said.find("order"), said.npos) << said;
  EXPECT_NE(complaint("{\"a\": 1e999}").find("p.json"), std::string::npos);
}

TEST(OpenJson, QuotesLittle) {
  EXPECT_LT(complaint("\"" + std::string(1'000'000, 'x')).size(), 200u);
  EXPECT_LT(
      complaint("{\"" + std::string(1'000'000, 'x') + "\": 1, \"" + std::string(1'000'000, 'x') + "\": 2}")
          .size(),
      200u);
  EXPECT_NE(complaint(std::string(20'000'000, ' ')).find("16 MB"), std::string::npos);
}

TEST(OpenJson, RefusesAKeyThatOccursTwice) {
  EXPECT_NE(complaint(R"({"order": 4, "order": 8})").find("'order' occurs twice"), std::string::npos);
  EXPECT_NE(complaint(R"([{"a": {"b": 1, "b": 2}}])").find("'b' occurs twice"), std::string::npos);
  EXPECT_EQ(complaint(R"([{"a": {"a": 1}}, {"a": 2}])"), "");
}

TEST(OpenJson, RefusesWhatWouldTakeTheStackOrTheDay) {
  EXPECT_EQ(complaint(std::string(64, '[') + std::string(64, ']')), "");
  EXPECT_NE(complaint(std::string(1'000'000, '[')).find("nested too deeply"), std::string::npos);
  std::string keys = "{\"k\":0";
  for (int i = 0; i < 20'000; ++i) keys += ",\"" + std::to_string(i) + "\":0";
  EXPECT_NE(complaint(keys + "}").find("too many keys"), std::string::npos);
}

TEST(OpenJson, RefusesWhatWouldTakeTheMemory) {
  const auto many = [](const std::string& one, std::size_t bytes) {
    std::string text = "[";
    while (text.size() < bytes) text += one + ",";
    return text.append("0]");
  };
  for (const char* one : {"[]", "{}", "\"\""})
    EXPECT_NE(test::errorOf([&] { parseJson(many(one, 40'000'000), "'a.json'"); }).find("too many values"),
              std::string::npos)
        << one;
  EXPECT_EQ(parseJson(many("[0.12345678901234567,0.12345678901234567]", 4'000'000), "'a.json'").size(),
            95'240u);
}

TEST(JsonText, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(jsonText(nlohmann::ordered_json{{"file", {"caf\xe9.nii", "caf\xc3\xa9\n"}}}, -1),
            "{\"file\":[\"caf\\\\xe9.nii\",\"caf\xc3\xa9\\n\"]}\n");
}

}  // namespace
}  // namespace sulcus::io
