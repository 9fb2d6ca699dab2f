#include "app/analyses/devices.h"
#include "app/cli/fault.h"
#include "app/remote/commands.h"
#include "app/remote/remote_job.h"
#include "app/remote/ssh.h"
#include "core/base/error.h"
#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/memory/host_memory.h"
#include "core/base/platform/processes/standard_streams.h"
#include "core/base/provenance.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "core/io/streams/temporary.h"

#include <algorithm>
#include <chrono>
#include <fstream>

#include <CLI/CLI.hpp>

namespace sulcus::app::remote {
namespace {

namespace fs = std::filesystem;
using Json = Wire::Json;

/// What is available on this machine.
Json lookAround(const RemoteCache& cache) {
  const DeviceReport report = analyses::deviceReport();
  Json json{{"processor", cpuName()},
            {"devices", Json::array()},
            {"reason", report.reason},
            {"freeBytes", cache.freeBytes()},
            {"freeMemoryBytes", freeHostMemory()},
            {"partitions", cli::slurmPartitions()}};
  for (const auto& device : report.devices)
    json["devices"].push_back(
        {{"name", device.name}, {"memoryBytes", device.memoryBytes}, {"freeBytes", device.freeBytes}});
  return json;
}

/// On this machine, unless Slurm has to find one.
void requireGpu(const Json& request) {
  if (request.at("backend") == "cpu" || request.contains("slurm")) return;
  const DeviceReport report = analyses::listDevices();
  if (report.devices.empty())
    throw Error("There is no GPU", report.reason, "use --backend ssh:HOST/cpu", ErrorKind::unavailable);
}

/// Requests the inputs that are not here.
void takeInputs(Wire& wire, const RemoteCache& cache, const Json& request) {
  std::vector<std::pair<std::string, std::uint64_t>> missing;
  double bytes = 0;
  std::error_code fault;
  for (const auto& file : request.at("files")) {
    const auto sha256 = file.at(1).get<std::string>();
    const bool asked =
        std::any_of(missing.begin(), missing.end(), [&](const auto& one) { return one.first == sha256; });
    if (asked) continue;
    if (fs::exists(cache.input(sha256))) {
      fs::last_write_time(cache.input(sha256), fs::file_time_type::clock::now(), fault);
      continue;
    }
    missing.emplace_back(sha256, file.at(2).get<std::uint64_t>());
    bytes += double(missing.back().second);
  }
  if (const double free = cache.freeBytes(); bytes > free)
    throw Error("There is not enough disk space for the inputs",
                io::byteText(bytes) + " are sent, " + io::byteText(free) + " are free",
                "free some space in ~/.cache there", ErrorKind::unavailable);
  Json answer{{"missing", Json::array()}};
  for (const auto& [sha256, size] : missing) answer["missing"].push_back(sha256);
  wire.send(answer);
  for (const auto& [sha256, size] : missing) {
    const fs::path place = cache.input(sha256);
    io::Temporary part(place.parent_path(), sha256, io::Temporary::Kind::file);
    wire.receiveFile(part.path(), size, {});
    if (io::sha256OfFile(part.path()) != sha256)
      throw Error("An input differs from its checksum", "it was changed while it was sent",
                  "give the same command again");
    fs::rename(part.path(), place);
    part.keep();
  }
}

/// Files below a folder, with their sizes in bytes.
std::vector<std::pair<fs::path, std::uint64_t>> filesBelow(const fs::path& folder) {
  std::vector<std::pair<fs::path, std::uint64_t>> files;
  std::error_code fault;
  for (const auto& entry : fs::recursive_directory_iterator(folder, fault))
    if (entry.is_regular_file()) files.emplace_back(entry.path(), entry.file_size());
  return files;
}

Json namesOf(const std::vector<std::pair<fs::path, std::uint64_t>>& files, const fs::path& folder) {
  Json names = Json::array();
  for (const auto& [file, bytes] : files)
    names.push_back({file.lexically_relative(folder).generic_string(), bytes});
  return names;
}

/// Sends the intermediate results of the job if they were requested and the connection is not saturated.
void sendPreview(Wire& wire, const cli::PreviewFolder& previews, cli::Throttle& throttle) {
  if (!throttle.isOpen()) return;
  const auto folder = previews.take();
  if (!folder) return;
  throttle.begin();
  const auto files = filesBelow(*folder);
  wire.send({{"preview", namesOf(files, *folder)}});
  for (const auto& [file, bytes] : files) wire.sendFile(file, bytes, {});
  throttle.end();
}

/// The last line of a file that another program writes, if there is a new one; "" otherwise.
std::string lastNewLine(std::ifstream& file) {
  std::string last, line;
  file.clear();
  for (auto begun = file.tellg(); std::getline(file, line); begun = file.tellg()) {
    if (file.eof()) {  // only half of it has been written
      file.clear();
      file.seekg(begun);
      break;
    }
    last = line;
  }
  return last;
}

/// Forwards the progress of the job until it has ended.
void follow(Wire& wire, const RemoteJob& job) {
  constexpr int kWait = 100;  // ms between two checks
  std::ifstream progress;
  cli::Throttle throttle;
  std::string waited;
  bool stopping = false;
  auto told = std::chrono::steady_clock::now();
  for (bool running = true; running;) {
    running = job.isRunning();
    if (const auto now = std::chrono::steady_clock::now(); stopping && now - told > std::chrono::seconds(1)) {
      wire.send({{"stopping", true}});
      told = now;
    }
    if (const std::string waits = running ? job.waiting() : ""; waits != waited && !(waited = waits).empty())
      wire.send({{"progress", io::jsonText(Json{{"fraction", 0}, {"stage", waits}}, -1)}});
    if (!progress.is_open()) progress.open(job.progress());
    if (std::string line = lastNewLine(progress); !line.empty()) wire.send({{"progress", std::move(line)}});
    if (running) sendPreview(wire, job.previews(), throttle);
    if (running && wire.isWaiting(kWait) && wire.receive().contains("cancel")) {
      stopping = true;
      job.cancel();
    }
  }
}

void handOver(Wire& wire, const RemoteJob& job) {
  const auto ended = job.end();
  if (!ended)
    throw Error("The results of the run are gone", "another call of the same command took them",
                "look in the output folder of that call, or give the command again", ErrorKind::unavailable);
  Json end = *ended;
  end["printed"] = job.printed();
  std::vector<std::pair<fs::path, std::uint64_t>> files;
  if (end.at("code") == cli::exit_code::done) files = filesBelow(job.results());
  end["files"] = namesOf(files, job.results());
  wire.send({{"ended", end}});
  for (const auto& [file, bytes] : files) wire.sendFile(file, bytes, {});
  if (wire.receive().contains("taken")) job.remove();
}

/// Any request may be repeated after the connection broke: what was done is not done twice.
void converse(Wire& wire) {
  const RemoteCache cache;
  const Json request = wire.receive();
  if (request.contains("look")) return wire.send(lookAround(cache));
  cache.removeOld();
  const RemoteJob job(cache.job(request.at("id").get<std::string>()));
  const auto end = job.isRunning() ? std::nullopt : job.end();
  const bool failed = end && end->at("code") != cli::exit_code::done;
  if (!job.isRunning() && (!end || (failed && request.value("fresh", false)))) {
    requireGpu(request);
    takeInputs(wire, cache, request);
    job.start(cache, request);
  } else {
    wire.send({{"missing", Json::array()}});
  }
  wire.send({{"started", true}});
  follow(wire, job);
  handOver(wire, job);
}

int serve(const std::string& jobFolder) {
  keepNewFilesPrivate();  // scans are private
  if (!jobFolder.empty()) {
    RemoteJob::carryOut(jobFolder);
    return cli::exit_code::done;
  }
  Wire wire(kStandardInput, kStandardOutput);
  try {
    wire.send(greetingOfThis());
    try {
      converse(wire);
    } catch (const BrokenLine&) {
      throw;
    } catch (const Json::exception&) {
      wire.send({{"ended",
                  {{"code", int(ErrorKind::badInput)},
                   {"complaint", "The request is not valid here: use the same version on both machines"}}}});
    } catch (...) {
      const cli::Fault fault = cli::currentFault();
      wire.send({{"ended", {{"code", fault.code}, {"complaint", fault.sentence}}}});
    }
  } catch (const BrokenLine&) {  // the job continues, and the other side will reconnect
  }
  return cli::exit_code::done;
}

}  // namespace

cli::Command addServe(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "serve", "Used by another machine's --backend ssh:HOST or slurm:HOST; not meant to be called by hand");
  auto job = std::make_shared<std::string>();
  parser->add_option("--job", *job, "Carry out what this folder says")->type_name("DIR")->group("Files");
  return {parser, [job](const cli::CliContext&) { return serve(*job); }};
}

}  // namespace sulcus::app::remote
