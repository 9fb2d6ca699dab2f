#include "core/base/error.h"
#include "tests/bench/fibers_bench.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>

namespace {

constexpr const char* kUsage =
    "usage: sulcus-bench fibers [--quick] [--largest VOXELS] [--longest SECONDS] [--json FILE] [--figure "
    "PREFIX]\n"
    "  Makes its own data, measures every implementation and prints a Markdown table; speeds are never "
    "judged.\n"
    "  --quick    a small run\n"
    "  --largest  leave out sizes above this\n"
    "  --longest  leave out what takes longer on a processor\n"
    "  --json     the same as JSON\n"
    "  --figure   PREFIX-table.csv, PREFIX-curves.csv, PREFIX-curves.svg\n";

int run(int argc, char** argv) {
  using namespace sulcus;
  if (argc < 2 || std::strcmp(argv[1], "fibers") != 0) {
    std::fputs(kUsage, stderr);
    return int(ErrorKind::usage);
  }
  bench::FiberBenchOptions options;
  std::string jsonFile, figure;
  for (int i = 2; i < argc; ++i) {
    const std::string flag = argv[i];
    const bool hasValue = i + 1 < argc;
    if (flag == "--quick") {
      options = bench::quickFiberBench();
    } else if (flag == "--largest" && hasValue) {
      const auto largest = std::stoll(argv[++i]);
      std::erase_if(options.sizes, [&](std::int64_t size) { return size > largest; });
    } else if (flag == "--longest" && hasValue) {
      options.longest = std::stod(argv[++i]);
    } else if (flag == "--json" && hasValue) {
      jsonFile = argv[++i];
    } else if (flag == "--figure" && hasValue) {
      figure = argv[++i];
    } else {
      std::fputs(kUsage, stderr);
      return int(ErrorKind::usage);
    }
  }
  const auto report =
      bench::runFiberBench(options, [](const std::string& line) { std::cerr << line << '\n'; });
  if (!report.hasGpu) std::cerr << "No GPU: " << report.gpu << ". Only the CPU was measured.\n";
  std::cout << bench::markdown(report);
  if (!jsonFile.empty()) std::ofstream(jsonFile) << bench::json(report);
  if (!figure.empty()) bench::writeFigure(report, figure);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const sulcus::Error& error) {
    std::cerr << error.what() << '\n';
    return int(error.kind());
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 5;
  }
}
