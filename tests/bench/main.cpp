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
    "usage: sulcus-bench fibers|activation|registration|surface [--quick] [--largest SIZE] "
    "[--longest SECONDS] [--json FILE] [--csv FILE]\n"
    "       sulcus-bench crossings|effects [--json FILE] [--csv FILE]\n"
    "       sulcus-bench files [--quick] [--program FILE] [--data DIR] [--peers FILE] [--into FILE]\n"
    "           [--heads SIDE,SIDE...] [--backend cpu|gpu] [--repetitions N] [--json FILE] [--csv FILE]\n"
    "       sulcus-bench papers [--out DIR] [--paper ballard|ferreira|lee] [--quick] [--data DIR]\n"
    "       sulcus-bench pairs TABLE [--backend cpu|gpu] [--OPTION VALUE,VALUE...]... [--json FILE] "
    "[--csv FILE]\n"
    "  The first four make their own data and measure every implementation. Each prints a Markdown table; "
    "speeds are never judged.\n"
    "  --quick    a small run\n"
    "  --largest  leave out sizes above this: voxels; registration: voxels along an axis; surface: elements\n"
    "  --longest  leave out what takes longer on a processor\n"
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
    "  real scans in --data, of other programs where --peers names tests/bench/peers/file_to_file.py and "
    "they "
    "are\n"
    "  installed, and adds what it measured to the Markdown file --into, as its first section; --heads: "
    "only\n"
    "  registrations of heads of so many voxels along each axis\n"
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
  std::string json, csv, figure, into;
};

/// Prints the report and writes it where it was asked for.
void write(const sulcus::bench::Report& report, const Output& output) {
  std::cout << markdown(report);
  if (!output.json.empty()) std::ofstream(output.json) << json(report);
  if (!output.csv.empty()) writeCsv(report, output.csv);
  if (!output.into.empty()) addTo(output.into, report);
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
    } else if (flag == "--shares" && hasValue && readShares(argv[i + 1], options)) {
      ++i;
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
      options.quick = true, options.heads = {32};
    } else if (flag == "--heads" && hasValue) {
      options.onlyHeads = true, options.heads.clear();
      for (const auto& side : partsOf(argv[++i])) options.heads.push_back(std::stoi(side));
    } else if (flag == "--backend" && hasValue) {
      options.backend = argv[++i];
    } else if (flag == "--repetitions" && hasValue) {
      options.repetitions = std::max(1, std::stoi(argv[++i]));
    } else if (flag == "--program" && hasValue) {
      options.program = argv[++i];
    } else if (flag == "--data" && hasValue) {
      options.data = argv[++i];
    } else if (flag == "--peers" && hasValue) {
      options.peers = argv[++i];
    } else if (flag == "--into" && hasValue) {
      output.into = argv[++i];
    } else if ((flag == "--json" || flag == "--csv") && hasValue) {
      (flag == "--json" ? output.json : output.csv) = argv[++i];
    } else {
      return refuse();
    }
  }
  const Machine machine = thisMachine();
  const auto tell = [](const std::string& line) { std::cerr << line << '\n'; };
  write(runFilesBench(options, machine, tell), output);
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

/// A benchmark that has no options but where to write.
template <class Run>
int runPlain(int argc, char** argv, Run runBench) {
  Output output;
  for (int i = 2; i < argc; i += 2) {
    const std::string flag = argv[i];
    if (i + 1 == argc || (flag != "--json" && flag != "--csv")) return refuse();
    (flag == "--json" ? output.json : output.csv) = argv[i + 1];
  }
  write(reportOf(runBench({}, [](const std::string& line) { std::cerr << line << '\n'; })), output);
  return 0;
}

int run(int argc, char** argv) {
  using namespace sulcus::bench;
  const std::string analysis = argc < 2 ? "" : argv[1];
  if (analysis == "fibers") return run(argc, argv, quickFiberBench(), runFiberBench);
  if (analysis == "activation") return run(argc, argv, quickActivationBench(), runActivationBench);
  if (analysis == "registration") return run(argc, argv, quickRegistrationBench(), runRegistrationBench);
  if (analysis == "crossings") return runPlain(argc, argv, runCrossingBench);
  if (analysis == "effects") return runPlain(argc, argv, runEffectsBench);
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
