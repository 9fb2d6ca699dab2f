#include "app/cli/options.h"
#include "app/cli/report.h"
#include "app/remote/commands.h"
#include "app/remote/remote_target.h"
#include "app/remote/ssh.h"
#include "app/version.h"
#include "core/base/platform/processes/own_program.h"
#include "core/base/provenance.h"
#include "core/base/sanitized.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"

#include <iostream>

#include <CLI/CLI.hpp>

namespace sulcus::app::remote {
namespace {

namespace fs = std::filesystem;

constexpr int kOtherProcessor = 96, kNoPackage = 97;  // exit codes of the command there

/// Unpacks the package read from standard input, replacing one of the same version.
std::string unpackCommand() {
  return "exec sh -c 'set -e; umask 077; [ \"$(uname -s) $(uname -m)\" = \"Linux x86_64\" ] || exit " +
         std::to_string(kOtherProcessor) + "; place=\"$HOME/" + remoteFolder() +
         "\"; mkdir -p \"${place%/*}\"; new=$(mktemp -d \"${place%/*}/.new-XXXXXX\"); "
         "trap \"rm -rf \\\"$new\\\"\" EXIT; tar -xf - -C \"$new\" --strip-components=1 --no-same-owner; "
         "[ -x \"$new/bin/sulcus-cli\" ] || exit " +
         std::to_string(kNoPackage) + "; rm -rf \"$place\"; mv \"$new\" \"$place\"'";
}

/// The command that outputs a relocatable package as a tar archive: the one given, else the one from which
/// this program was started.
std::vector<std::string> packageWords(const std::string& package) {
  if (!package.empty()) {
    io::requireReadable(package);
    return {"zstd", "-dc", "--long=27", "--", package};
  }
  const fs::path root = ownProgram().parent_path().parent_path();
  std::error_code fault;
  if (!fs::exists(root / "bin" / "sulcus-cli", fault) || !fs::is_directory(root / "lib" / "sulcus", fault) ||
      !fs::exists(root / "lib" / "sulcus" / "sulcus-cli", fault))
    throw Error("There is no package to install", "this program was not started from one",
                "give --package sulcus-" + sulcusVersion() + "-linux-x86_64.tar.zst", ErrorKind::usage);
  return {"tar", "-cf", "-", "-C", root.parent_path().string(), "--", root.filename().string()};
}

void bring(const std::string& host, const std::string& package) {
  const auto answer = cli::callPiped(packageWords(package), sshWords(host, unpackCommand()));
  if (answer.code == 0) return;
  const auto fail = [&](const std::string& why, const std::string& advice) {
    throw Error("Sulcus was not installed on " + host, why, advice, ErrorKind::unavailable);
  };
  if (answer.code == kOtherProcessor)
    fail("it is not Linux on an x86-64 processor", "build Sulcus there, so that sulcus-cli is on its PATH");
  if (answer.code == kNoPackage)
    fail("the file is not a package of Sulcus", "give the one that resources/package/relocatable makes");
  fail(answer.complaint.empty() ? "no reason is given" : sanitizedForDisplay(answer.complaint, 200),
       "free some space there, or look at ssh " + host);
}

Wire::Json lookAt(const std::string& host) {
  SshLine line(host, [] { return false; });
  line.wire().send({{"look", true}});
  return line.wire().receive();
}

struct SetUpRequest {
  std::string host, package;
  bool onlyLook = false;
};

int setUp(const SetUpRequest& request, const cli::CliContext& session) {
  const std::string& host = request.host;
  requireHost(host);
  Wire::Json found;
  try {
    found = lookAt(host);
  } catch (const NotSetUp& fault) {
    if (request.onlyLook) throw;
    if (!session.quiet) std::cerr << sanitizedForDisplay(fault.what()) << "\n";
    bring(host, request.package);
    found = lookAt(host);
  }
  if (session.json) {
    Wire::Json json{{"host", host}, {"version", sulcusVersion()}, {"commit", buildCommit()}};
    json.update(found);
    std::cout << io::jsonText(json);
    return cli::exit_code::done;
  }
  std::cout << host << ": Sulcus " << sulcusVersion() << " (" << buildCommit() << "), "
            << sanitizedForDisplay(found.at("processor").get<std::string>()) << ", "
            << io::byteText(found.at("freeBytes")) << " free\n";
  for (const auto& device : found.at("devices"))
    std::cout << "GPU: " << sanitizedForDisplay(device.at("name").get<std::string>())
              << ", used by --backend ssh:" << host << "\n";
  if (found.at("devices").empty())
    std::cout << "No GPU (" << sanitizedForDisplay(found.at("reason").get<std::string>())
              << "): --backend ssh:" << host << "/cpu uses its CPU\n";
  std::string partitions;
  for (const auto& one : found.at("partitions"))
    partitions += (partitions.empty() ? "" : ", ") + sanitizedForDisplay(one.get<std::string>());
  if (!partitions.empty())
    std::cout << "Slurm (partitions " << partitions << "): --backend slurm:" << host
              << " submits runs to it\n";
  return cli::exit_code::done;
}

}  // namespace

cli::Command addSetUp(CLI::App& program) {
  CLI::App* remote = program.add_subcommand("remote", "Other machines, on which analyses run by --backend");
  remote->require_subcommand(1);
  CLI::App* parser = remote->add_subcommand(
      "setup",
      "Checks what another machine has for --backend ssh:HOST or slurm:HOST, and installs Sulcus there");
  auto request = std::make_shared<SetUpRequest>();
  parser->add_option("host", request->host, "The machine, in ssh's notation")->type_name("HOST")->required();
  parser
      ->add_option(
          "--package", request->package,
          "The relocatable package to install there; default: the one from which this program was started")
      ->type_name("FILE")
      ->check(cli::notEmpty("--package"))
      ->group("Files");
  parser->add_flag("--look", request->onlyLook, "Install nothing there")->group("Common");
  cli::addTalkFlags(*parser);
  return {parser, [request](const cli::CliContext& session) { return setUp(*request, session); }};
}

}  // namespace sulcus::app::remote
