#include "core/base/error.h"
#include "tests/bench/activation_bench.h"
#include "tests/bench/fibers_bench.h"
#include "tests/bench/registration_bench.h"
#include "tests/bench/surface_bench.h"

#include <cstdio>
#include <fstream>
#include <iostream>

namespace {

constexpr const char* kUsage =
    "usage: sulcus-bench fibers|activation|registration|surface [--quick] [--largest SIZE] "
    "[--longest SECONDS] [--json FILE]\n"
    "  Makes its own data, measures every implementation and prints a Markdown table; speeds are never "
    "judged.\n"
    "  --quick    a small run\n"
    "  --largest  leave out sizes above this: voxels; registration: voxels along an axis; surface: elements\n"
    "  --longest  leave out what takes longer on a processor\n"
    "  --json     the same as JSON\n"
    "  --figure PREFIX  fibers: PREFIX-table.csv, PREFIX-curves.csv, PREFIX-curves.svg; registration, "
    "surface: PREFIX.csv, PREFIX.svg\n";

int refuse() {
  std::fputs(kUsage, stderr);
  return int(sulcus::ErrorKind::usage);
}

struct Output {
  std::string json, figure;
};

template <class Report>
concept HasFigure = requires(const Report& report) {
  sulcus::bench::writeFigure(report, "");
};

/// Reads the flags into `options`; false where one is unknown.
template <class Options>
bool readFlags(int argc, char** argv, const Options& quick, bool hasFigure, Options& options,
               Output& output) {
  for (int i = 2; i < argc; ++i) {
    const std::string flag = argv[i];
    const bool hasValue = i + 1 < argc;
    if (flag == "--quick") {
      options = quick;
    } else if (flag == "--largest" && hasValue) {
      const auto largest = std::stoll(argv[++i]);
      const auto tooLarge = [&](std::int64_t size) { return size > largest; };
      std::erase_if(options.sizes, tooLarge);
      if constexpr (requires { options.runs; }) std::erase_if(options.runs, tooLarge);
      if constexpr (requires { options.patches; }) std::erase_if(options.patches, tooLarge);
    } else if (flag == "--longest" && hasValue) {
      options.longest = std::stod(argv[++i]);
    } else if (flag == "--json" && hasValue) {
      output.json = argv[++i];
    } else if (flag == "--figure" && hasValue && hasFigure) {
      output.figure = argv[++i];
    } else {
      return false;
    }
  }
  return true;
}

template <class Options, class Run>
int run(int argc, char** argv, const Options& quick, Run runBench) {
  using namespace sulcus;
  Options options;
  Output output;
  const auto tell = [](const std::string& line) { std::cerr << line << '\n'; };
  using Report = decltype(runBench(options, tell));
  if (!readFlags(argc, argv, quick, HasFigure<Report>, options, output)) return refuse();
  const Report report = runBench(options, tell);
  if (!report.hasGpu) std::cerr << "No GPU: " << report.gpu << ". Only the CPU was measured.\n";
  std::cout << bench::markdown(report);
  if (!output.json.empty()) std::ofstream(output.json) << bench::json(report);
  if constexpr (HasFigure<Report>)
    if (!output.figure.empty()) bench::writeFigure(report, output.figure);
  return 0;
}

int run(int argc, char** argv) {
  using namespace sulcus;
  const std::string analysis = argc < 2 ? "" : argv[1];
  if (analysis == "fibers") return run(argc, argv, bench::quickFiberBench(), bench::runFiberBench);
  if (analysis == "activation")
    return run(argc, argv, bench::quickActivationBench(), bench::runActivationBench);
  if (analysis == "registration")
    return run(argc, argv, bench::quickRegistrationBench(), bench::runRegistrationBench);
  if (analysis == "surface") return run(argc, argv, bench::quickSurfaceBench(), bench::runSurfaceBench);
  return refuse();
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
