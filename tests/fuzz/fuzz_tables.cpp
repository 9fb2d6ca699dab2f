#include "core/activation/design/contrasts.h"
#include "core/activation/design/design.h"
#include "core/image/transform_table.h"
#include "core/io/tables/tables.h"
#include "tests/fuzz/fuzz_main.h"

// A table and everything made from tables: a linear transform, a design with the table itself as confounds,
// the text of a saved table, and contrasts from the bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sulcus;
  sulcus::Layer table;
  sulcus::fuzz::parseOrError(
      [&] { table = io::openTable(sulcus::fuzz::memoryFile("table.tsv", data, size)); });
  if (!std::holds_alternative<sulcus::TableLayer>(table.content)) return 0;
  sulcus::fuzz::parseOrError([&] {
    const std::string text(reinterpret_cast<const char*>(data), size);
    sulcus::activation::allContrasts(text, {"intercept", "visual", "auditory", "a-b"});
  });
  sulcus::fuzz::parseOrError([&] {
    const std::string saved = sulcus::io::tableText(std::get<sulcus::TableLayer>(table.content), '\t');
    io::openTable(sulcus::fuzz::memoryFile("saved.tsv", saved.data(), saved.size()));
  });
  sulcus::fuzz::parseOrError([&] { transformOf(table, "initial transform"); });
  return sulcus::fuzz::parseOrError(
      [&] { sulcus::activation::makeDesign(table, &table, 2, 12, sulcus::activation::DesignOptions()); });
}

std::vector<std::string> sulcus::fuzz::seeds() {
  std::string matrix = "/NumWaves\t2\n/NumPoints 12\n/PPheights\t1 1\n\n/Matrix\n", plain = "a\tb\n";
  for (int t = 0; t < 12; ++t) {
    const std::string row = std::to_string(t % 5) + "\t" + std::to_string(t * t % 7);
    matrix += row + "\t\n", plain += row + "\n";
  }
  const std::string numbers = "Parameters: 1 0 0.1 0 1 0 0 0.2 1 2 -3 4\nFixedParameters: 0 0 7\n";
  // A MATLAB file of level 4: type, rows, columns, no imaginary part, bytes of the name; name; numbers.
  std::string matlab;
  for (const auto& [name, count] :
       {std::pair<std::string, int>{"AffineTransform_double_3_3", 12}, {"fixed", 3}}) {
    for (const int number : {0, count, 1, 0, int(name.size()) + 1})
      matlab += std::string{char(number), 0, 0, 0};
    matlab += name + '\0';
    for (int i = 0; i < count; ++i)
      matlab += i % 4 == 0 ? std::string("\0\0\0\0\0\0\xf0\x3f", 8) : std::string(8, '\0');
  }
  return {matrix,
          matlab,
          std::string(kTransformComment) + "\n1 0 0 2\n0 1 0 3\n0 0 1 4\n0 0 0 1\n",
          "#Insight Transform File V1.0\n#Transform 0\nTransform: AffineTransform_double_3_3\n" + numbers,
          "#Insight Transform File V1.0\nTransform: Euler3DTransform_double_3_3\nParameters: 0.1 0 0 1 2 3\n"
          "FixedParameters: 0 0 0 1\n",
          plain,
          "onset\tduration\ttrial_type\n0\t2\tvisual\n4.5\t0\tauditory\n9\t3\tvisual\n",
          "\xef\xbb\xbf\"a\",\"b \"\"c\"\"\"\r\n1,2\r\n3,n/a\r\n",
          "# a b\n1 2\n3 4\n",
          "\"x\" \"y\"\n\"1\" 5 6\n\"2\" 7 8\n",
          "d: 0 1 -1 0; 2*visual - a-b; 1,0,0,0"};
}
