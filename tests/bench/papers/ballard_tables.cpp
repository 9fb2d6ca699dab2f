#include "gpu/runtime/device.h"
#include "tests/bench/format.h"
#include "tests/bench/papers/ballard_papers.h"
#include "tests/bench/papers/device_facts.h"
#include "tests/bench/papers/power_method_kernel.h"

#include <cmath>

namespace sulcus::bench {
namespace {

/// Table 3.1 as printed: index and monomial representation of the classes of order 3, dimension 4.
constexpr const char* kTable31[20][2] = {
    {"1 1 1", "3 0 0 0"}, {"1 1 2", "2 1 0 0"}, {"1 1 3", "2 0 1 0"}, {"1 1 4", "2 0 0 1"},
    {"1 2 2", "1 2 0 0"}, {"1 2 3", "1 1 1 0"}, {"1 2 4", "1 1 0 1"}, {"1 3 3", "1 0 2 0"},
    {"1 3 4", "1 0 1 1"}, {"1 4 4", "1 0 0 2"}, {"2 2 2", "0 3 0 0"}, {"2 2 3", "0 2 1 0"},
    {"2 2 4", "0 2 0 1"}, {"2 3 3", "0 1 2 0"}, {"2 3 4", "0 1 1 1"}, {"2 4 4", "0 1 0 2"},
    {"3 3 3", "0 0 3 0"}, {"3 3 4", "0 0 2 1"}, {"3 4 4", "0 0 1 2"}, {"4 4 4", "0 0 0 3"}};

/// Figure 6.1 as printed: the terms of the first component, m = 4, n = 3.
constexpr const char* kFigure61 =
    "y1 = Avals[0] * x1 * x1 * x1 + Avals[1] * 3 * x1 * x1 * x2 + … + Avals[9] * x3 * x3 * x3";

/// The index classes of order m and dimension n, counted one by one.
int enumeratedClasses(int m, int n) {
  int index[fibers::kLargestGeneralOrder] = {}, count = 1;
  while (fibers::nextIndexClass(index, m, n)) ++count;
  return count;
}

double binomial(int n, int k) { return std::tgamma(n + 1) / (std::tgamma(k + 1) * std::tgamma(n - k + 1)); }

template <class Numbers>
std::string joined(const Numbers& numbers, int plus = 0) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number + plus);
  return text;
}

}  // namespace

Exhibit ballardIndexClasses() {
  constexpr int m = 3, n = 4;
  Exhibit exhibit{"ballard", "Table 3.1", "Index classes of order 3 and dimension 4"};
  std::vector<std::vector<Cell>> rows;
  int index[m] = {}, agree = 0;
  do {
    std::array<int, n> monomial{};
    for (const int i : index) ++monomial[std::size_t(i)];
    const auto& [publishedIndex, publishedMonomial] = kTable31[rows.size()];
    const std::string indexText = joined(index, 1), monomialText = joined(monomial);
    agree += indexText == publishedIndex && monomialText == publishedMonomial;
    rows.push_back({std::int64_t(rows.size() + 1), publishedIndex, indexText, publishedMonomial, monomialText,
                    std::int64_t(fibers::multiplicityWithout(index, m, -1, -1))});
  } while (fibers::nextIndexClass(index, m, n));
  exhibit.table =
      plainTable({"class", "published index", "index", "published monomial", "monomial", "occurrences"},
                 std::move(rows));
  exhibit.remark = format(
      "%d of 20 classes are the published ones, by Sulcus' own enumeration; the tensors of every file and "
      "kernel are stored in this order.",
      agree);
  return exhibit;
}

Exhibit ballardOnChipMemory(const Machine& machine) {
  Exhibit exhibit{"ballard", "Table 4.1", "Memory on the chip, of each multiprocessor"};
  const DeviceFacts facts = machine.hasGpu ? deviceFacts() : DeviceFacts{};
  const auto known = [&](std::int64_t value, const char* pattern) -> Cell {
    return value > 0 ? format(pattern, static_cast<long long>(value)) : std::string("no GPU here");
  };
  exhibit.table = plainTable(
      {"memory", "published: GeForce 9800 GT", machine.hasGpu ? machine.gpu : "this machine"},
      {{"register file", "8192 registers", known(facts.registers, "%lld registers")},
       {"shared memory", "16 KB", known(facts.sharedBytes / 1024, "%lld KB")},
       {"texture cache", "6–8 KB", machine.hasGpu ? "one with L1 and shared memory" : "no GPU here"},
       {"constant cache", "8 KB", known(facts.constantBytes / 1024, "%lld KB of constant memory, cached")},
       {"multiprocessors", "14", known(facts.multiprocessors, "%lld")}});
  exhibit.remark =
      "Ours are by query of the device, which does not tell the size of its constant cache. A register file "
      "of today holds the vectors that the paper's general kernel kept in shared memory, and more searches "
      "at a time.";
  return exhibit;
}

Exhibit ballardStorageAndFlops() {
  Exhibit exhibit{"ballard", "Section 3", "Storage and operations, order m and dimension n"};
  std::vector<std::vector<Cell>> rows;
  for (const auto& [m, n] :
       {std::pair{3, 2}, {4, 2}, {6, 2}, {8, 2}, {3, 3}, {3, 4}, {4, 3}, {6, 3}, {8, 3}, {4, 4}, {6, 6}}) {
    const auto published = [isPrinted = m == 4 && n == 3](std::int64_t value) {
      return isPrinted ? Cell(value) : Cell();
    };
    const int classes = enumeratedClasses(m, n);
    const double entries = std::pow(n, m);
    rows.push_back({std::int64_t(m), std::int64_t(n), std::int64_t(std::llround(entries)),
                    std::int64_t(std::llround(binomial(m + n - 1, m))), std::int64_t(classes),
                    entries / classes, published(84), std::int64_t(4 * (classes + 2 * n)), published(140),
                    std::int64_t(paperFlops(m, n)), m * entries / std::tgamma(m),
                    entries * m / paperFlops(m, n)});
  }
  exhibit.table =
      plainTable({"m", "n", "entries nᵐ", "published unique (m + n − 1 choose m)", "unique, enumerated",
                  "less storage", "published bytes", "bytes of A xᵐ⁻¹", "published flop", "flop of A xᵐ⁻¹",
                  "published growth m nᵐ / (m − 1)!", "less flop"},
                 std::move(rows));
  exhibit.remark =
      "The enumeration has as many classes as the paper's formula (Property 3.1). Bytes and flop it prints "
      "for "
      "order 4 and dimension 3 alone; ours are by rules that give the same there (m − 1 products, one with "
      "the "
      "number of occurrences and one sum a term). Its growth says how flop rise with large n, not how many "
      "there are. The last column compares with m operations for each of the nᵐ entries.";
  return exhibit;
}

std::vector<std::string> unrolledLines(int m, int n, int component) {
  std::vector<std::string> lines;
  int index[fibers::kLargestGeneralOrder] = {}, entry = 0;
  do {
    int place = -1;
    for (int j = m - 1; j >= 0; --j)
      if (index[j] == component) place = j;
    if (place >= 0) {
      std::string line = format("Avals[%d]", entry);
      const auto times = fibers::multiplicityWithout(index, m, place, -1);
      if (times > 1) line += format(" * %d", int(times));
      for (int j = 0; j < m; ++j)
        if (j != place) line += format(" * x%d", index[j] + 1);
      lines.push_back(line);
    }
    ++entry;
  } while (fibers::nextIndexClass(index, m, n));
  return lines;
}

Exhibit ballardUnrolledKernel() {
  Exhibit exhibit{"ballard", "Figure 6.1", "The unrolled kernel as generated, order 4, dimension 3"};
  for (int component = 0; component < 3; ++component) {
    exhibit.listing += format("y%d = ", component + 1);
    std::string sum;
    for (const auto& line : unrolledLines(4, 3, component)) sum += (sum.empty() ? "" : " +\n     ") + line;
    exhibit.listing += sum + ";\n";
  }
  exhibit.table = plainTable({"component of A x³", "published terms", "terms"},
                             {{"y1", std::int64_t(10), std::int64_t(unrolledLines(4, 3, 0).size())},
                              {"y2", std::int64_t(10), std::int64_t(unrolledLines(4, 3, 1).size())},
                              {"y3", std::int64_t(10), std::int64_t(unrolledLines(4, 3, 2).size())}});
  exhibit.remark =
      std::string("The paper prints the first component (") + kFigure61 +
      "), and the enumeration generates the same ten terms, for any order and dimension. Sulcus' own kernel "
      "goes further, as the paper suggests: it shares the powers of x among the terms.";
  return exhibit;
}

std::vector<Exhibit> ballardExhibits(const PapersOptions& options, const Machine& machine) {
  std::vector<Exhibit> exhibits{ballardIndexClasses(), ballardOnChipMemory(machine), ballardStorageAndFlops(),
                                ballardEigenpairs(),   ballardFiberDirections(),     ballardUnrolledKernel()};
  for (auto& exhibit : ballardSpeeds(options, machine)) exhibits.push_back(std::move(exhibit));
  exhibits.push_back(ballardOtherTensors(options, machine));
  return exhibits;
}

}  // namespace sulcus::bench
