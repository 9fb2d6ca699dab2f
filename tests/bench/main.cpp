#include "core/base/error.h"
#include "core/registration/prealign.h"
#include "tests/bench/activation/activation_bench.h"
#include "tests/bench/activation/effects_bench.h"
#include "tests/bench/fibers/crossings_bench.h"
#include "tests/bench/fibers/fibers_bench.h"
#include "tests/bench/files/files_bench.h"
#include "tests/bench/papers/exhibit.h"
#include "tests/bench/registration/pairs_bench.h"
#include "tests/bench/registration/registration_bench.h"
#include "tests/bench/surface/surface_bench.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

namespace {

constexpr const char* kUsage =
    "usage: sulcus-bench fibers|activation|registration|surface [--quick] [--only REGEX] [--largest SIZE] "
    "[--longest SECONDS] [--json FILE] [--csv FILE]\n"
    "       sulcus-bench crossings|effects [--only REGEX] [--seed N] [--json FILE] [--csv FILE]\n"
    "       sulcus-bench files [--quick] [--program FILE] [--data DIR] [--json FILE] [--csv FILE]\n"
    "       sulcus-bench papers [--out DIR] [--paper ballard|ferreira|lee] [--quick] [--data DIR]\n"
    "       sulcus-bench pairs TABLE [--backend cpu|gpu] [--OPTION VALUE,VALUE...]... [--json FILE] "
    "[--csv FILE]\n"
    "  The first four make their own data and measure every implementation. Each prints a Markdown table; "
    "speeds are never judged.\n"
    "  --quick    a small run\n"
    "  --only     the cases whose name, with which their line begins, has a match of a regular expression:\n"
    "             'GPU, .*with memory'\n"
    "  --largest  leave out sizes above this, make scans no larger: voxels; registration: voxels along an "
    "axis;\n"
    "             surface: elements\n"
    "  --longest  leave out what takes longer on a processor\n"
    "  --seed     of the first simulated scan\n"
    "  --shares   registration, surface: numbers of the GPUs that share out a run (0,1)\n"
    "  --json     the same as JSON\n"
    "  --csv      the same as CSV, whole runs in FILE-runs.csv beside it\n"
    "  --figure PREFIX  fibers: PREFIX-table.csv, PREFIX-curves.csv, PREFIX-curves.svg; registration, "
    "surface: PREFIX.csv, PREFIX.svg\n"
    "  crossings simulates fibers that cross and counts how many are found\n"
    "  effects simulates functional scans and counts what is shown where there is an effect and where none "
    "is\n"
    "  files waits for whole commands of sulcus-cli, from the command to its exit, on files that it makes "
    "and "
    "on\n"
    "  real scans in --data\n"
    "  papers makes each table and figure of the papers again and writes papers.html with its parts to DIR\n"
    "  (papers); real scans are read from --data, SULCUS_TEST_DATA or ../shared/data, phantoms stand in\n"
    "  pairs registers scans with labels: TABLE has the columns name, template, template-labels, reference,\n"
    "  reference-labels and, if wanted, affine (the affine.txt of a registration), with paths relative to "
    "its\n"
    "  folder. OPTION is any of sulcus-cli registration; every combination of the values is run.\n";

int refuse() {
  std::fputs(kUsage, stderr);
  return int(sulcus::ErrorKind::usage);
}

struct Output {
  std::string json, csv, figure;
};

/// Prints the report and writes it where it was asked for.
void write(const sulcus::bench::Report& report, const Output& output) {
  std::cout << markdown(report);
  if (!output.json.empty()) std::ofstream(output.json) << json(report);
  if (!output.csv.empty()) writeCsv(report, output.csv);
}

template <class Measurements>
concept HasFigure = requires(const Measurements& measured) {
  sulcus::bench::writeFigure(measured, "");
};

/// Reads the numbers of GPUs; false where this benchmark shares out nothing.
template <class Options>
bool readShares(const std::string& list, Options& options) {
  if constexpr (requires { options.shares; }) {
    options.shares.clear();
    std::istringstream stream(list);
    for (std::string one; std::getline(stream, one, ',');) options.shares.push_back(std::stoi(one));
    return !options.shares.empty();
  }
  return false;
}

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
      if constexpr (requires { options.tissueVoxels; })
        for (auto* const scan : {&options.scanVoxels, &options.tissueVoxels, &options.tissueVoxelsCpu})
          *scan = std::min<std::int64_t>(*scan, largest);
    } else if (flag == "--shares" && hasValue && readShares(argv[i + 1], options)) {
      ++i;
    } else if (flag == "--only" && hasValue) {
      options.only = argv[++i];
    } else if (flag == "--longest" && hasValue) {
      options.longest = std::stod(argv[++i]);
    } else if (flag == "--json" && hasValue) {
      output.json = argv[++i];
    } else if (flag == "--csv" && hasValue) {
      output.csv = argv[++i];
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
  using Measurements = decltype(runBench(options, tell));
  if (!readFlags(argc, argv, quick, HasFigure<Measurements>, options, output)) return refuse();
  const Measurements measured = runBench(options, tell);
  if (!measured.hasGpu) std::cerr << "No GPU: " << measured.gpu << ". Only the CPU was measured.\n";
  write(reportOf(measured), output);
  if constexpr (HasFigure<Measurements>)
    if (!output.figure.empty()) writeFigure(measured, output.figure);
  return 0;
}

std::vector<std::string> partsOf(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

int runPairs(int argc, char** argv) {
  using namespace sulcus;
  if (argc < 3 || argc % 2 == 0) return refuse();
  bench::PairBenchOptions options;
  options.table = argv[2];
  Output output;
  for (int i = 3; i + 1 < argc; i += 2) {
    const std::string flag = argv[i], value = argv[i + 1];
    if (flag == "--json") {
      output.json = value;
    } else if (flag == "--csv") {
      output.csv = value;
    } else if (flag == "--backend" && (value == "cpu" || value == "gpu")) {
      options.backend = value == "gpu" ? Backend::gpu : Backend::cpu;
    } else if (flag.starts_with("--") && flag != "--backend") {
      options.lists.emplace_back(flag.substr(2), partsOf(value));
    } else {
      return refuse();
    }
  }
  const auto tell = [](const std::string& line) { std::cerr << line << '\n'; };
  write(reportOf(runPairBench(options, registration::prealign, tell)), output);
  return 0;
}

std::filesystem::path realScans() {
  const char* const data = std::getenv("SULCUS_TEST_DATA");
  return data ? data : "../shared/data";
}

int runFiles(int argc, char** argv) {
  using namespace sulcus::bench;
  FilesOptions options;
  options.data = realScans();
  Output output;
  for (int i = 2; i < argc; ++i) {
    const std::string flag = argv[i];
    const bool hasValue = i + 1 < argc;
    if (flag == "--quick") {
      options.quick = true;
    } else if (flag == "--program" && hasValue) {
      options.program = argv[++i];
    } else if (flag == "--data" && hasValue) {
      options.data = argv[++i];
    } else if ((flag == "--json" || flag == "--csv") && hasValue) {
      (flag == "--json" ? output.json : output.csv) = argv[++i];
    } else {
      return refuse();
    }
  }
  const Machine machine = thisMachine();
  const auto tell = [](const std::string& line) { std::cerr << line << '\n'; };
  write(reportOf(runFilesBench(options, machine, tell), machine), output);
  return 0;
}

int runPapers(int argc, char** argv) {
  using namespace sulcus::bench;
  PapersOptions options;
  options.data = realScans();
  options.tell = [](const std::string& line) { std::cerr << line << '\n'; };
  for (int i = 2; i < argc; ++i) {
    const std::string flag = argv[i];
    const bool hasValue = i + 1 < argc;
    if (flag == "--quick") {
      options.quick = true;
    } else if (flag == "--out" && hasValue) {
      options.out = argv[++i];
    } else if (flag == "--paper" && hasValue) {
      options.paper = argv[++i];
    } else if (flag == "--data" && hasValue) {
      options.data = argv[++i];
    } else {
      return refuse();
    }
  }
  const Machine machine = thisMachine();
  if (!machine.hasGpu) std::cerr << "No GPU: " << machine.gpu << ". Only the CPU is measured.\n";
  writePapers(paperExhibits(options, machine), machine, options.out);
  std::cout << (options.out / "papers.html").string() << '\n';
  return 0;
}

/// A benchmark of simulated scans that counts what is found.
template <class Options, class Measurements>
int runSimulated(int argc, char** argv,
                 Measurements runBench(const Options&, const std::function<void(const std::string&)>&)) {
  Options options;
  Output output;
  for (int i = 2; i < argc; i += 2) {
    const std::string flag = argv[i];
    if (i + 1 == argc) return refuse();
    if (flag == "--only")
      options.only = argv[i + 1];
    else if (flag == "--seed")
      options.seed = std::stoull(argv[i + 1]);
    else if (flag == "--json" || flag == "--csv")
      (flag == "--json" ? output.json : output.csv) = argv[i + 1];
    else
      return refuse();
  }
  write(reportOf(runBench(options, [](const std::string& line) { std::cerr << line << '\n'; })), output);
  return 0;
}

int run(int argc, char** argv) {
  using namespace sulcus::bench;
  const std::string analysis = argc < 2 ? "" : argv[1];
  if (analysis == "fibers") return run(argc, argv, quickFiberBench(), runFiberBench);
  if (analysis == "activation") return run(argc, argv, quickActivationBench(), runActivationBench);
  if (analysis == "registration") return run(argc, argv, quickRegistrationBench(), runRegistrationBench);
  if (analysis == "crossings") return runSimulated(argc, argv, runCrossingBench);
  if (analysis == "effects") return runSimulated(argc, argv, runEffectsBench);
  if (analysis == "files") return runFiles(argc, argv);
  if (analysis == "papers") return runPapers(argc, argv);
  if (analysis == "pairs") return runPairs(argc, argv);
  if (analysis == "surface") return run(argc, argv, quickSurfaceBench(), runSurfaceBench);
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
