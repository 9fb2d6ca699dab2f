#include "app/remote/run.h"

#include "app/cli/previews.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/remote/sent_run.h"
#include "app/remote/ssh.h"
#include "core/base/error.h"
#include "core/base/name_pattern.h"
#include "core/base/platform/processes/pipe.h"
#include "core/base/sanitized.h"
#include "core/io/below.h"
#include "core/io/files.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>

namespace sulcus::app::remote {
namespace {

namespace fs = std::filesystem;
using Json = Wire::Json;

/// The message of a JSON library, without its own error code.
std::string withoutMark(const std::string& fault) {
  const auto end = fault.starts_with("[json.") ? fault.find("] ") : fault.npos;
  return end == fault.npos ? fault : fault.substr(end + 2);
}

/// How a run ended there.
struct Outcome {
  int code = cli::exit_code::done;
  std::string complaint, printed;
};

/// Throws Error unless a remote file is a result of this analysis, so that no other file is written here.
void requireResult(const std::string& name, const std::vector<std::string>& results) {
  if (io::isNameBelow(name) &&  // a star also matches the backslashes of Windows
      std::any_of(results.begin(), results.end(),
                  [&](const std::string& result) { return matchesPathPattern(result, name); }))
    return;
  throw Error(inQuotes(name) + " came with the results", "no result has such a name", "ask its administrator",
              ErrorKind::badInput);
}

/// Where results go.
struct ResultTarget {
  const std::vector<std::string>& names;  ///< that results may have
  const io::StagedFiles& outputs;
  const std::string& previews;  ///< folder for intermediate results; "": none
};

/// One run from its beginning to its results, over as many connections as it takes.
class Conversation {
 public:
  Conversation(const SentRun& run, const RemoteTarget& place, const cli::CliContext& session,
               const ResultTarget& target, const Progress& progress)
      : run_(run),
        place_(place),
        session_(session),
        results_(target.names),
        outputs_(target.outputs),
        previews_(target.previews),
        wantsPreviews_(!target.previews.empty()),
        progress_(progress) {}

  Outcome hold() try {
    const std::size_t mostLines =
        20 + 2 * run_.files.size();  // connections, each of which may transfer a single file
    for (std::size_t line = 1, broken = 0;; ++line, ++broken) {
      const bool wasStarted = started_;
      moved_ = false;
      why_.reset();
      try {
        return holdOnce();
      } catch (const BrokenLine&) {
        if (!why_)
          why_ = Error("The connection to " + place_.host + " broke",
                       "the network or that machine stopped answering", "", ErrorKind::unavailable);
      } catch (const Cancelled&) {
        if ((started_ || sent_) && !ended_) failToStop("that machine does not answer");
        throw;
      }
      if (moved_ || wasStarted != started_) broken = 0;
      pause(line < mostLines ? broken : kMostPauses);
    }
  } catch (const Json::exception& fault) {
    throw Error(place_.host + " sent an invalid message", sanitizedForDisplay(withoutMark(fault.what()), 200),
                "install this version there: sulcus-cli remote setup " + place_.host, ErrorKind::unavailable);
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// How long a machine may be silent after it was told to stop. One that is stopping its run reports every
  /// second.
  static constexpr std::chrono::seconds kPatience{8};
  static constexpr std::size_t kMostPauses = 7;  ///< consecutive: two minutes in total

  Outcome holdOnce() {
    // Once all inputs are there, the run may start at any moment: then first wait for its confirmation, then
    // stop it. A machine that stays silent is not waited for.
    sent_ = false;
    std::optional<Clock::time_point> asked;
    const auto stop = [&] {
      if (!progress_.stopRequested()) return false;
      if (!asked) asked = Clock::now();
      return (!started_ && !sent_) || Clock::now() - std::max(*asked, heard_) > kPatience;
    };
    std::optional<SshLine> line;
    try {
      line.emplace(place_.host, stop);
    } catch (const Error& fault) {
      // A failure to reach it now may be temporary, provided it was reached before.
      if (fault.kind() != ErrorKind::unavailable || !reached_) throw;
      why_ = fault;
      throw BrokenLine();
    }
    reached_ = true;
    Wire& wire = line->wire();
    wire.send(run_.request(place_, session_.call, !started_));
    Json answer = wire.receive();
    if (answer.contains("missing")) {
      try {
        sendInputs(wire, answer.at("missing"));
      } catch (const BrokenLine&) {  // it may have said why before it disconnected
      }
      sent_ = true;
      answer = wire.receive();
    }
    if (answer.contains("started")) {
      started_ = moved_ = true;
      answer = follow(wire);
    }
    return takeOver(wire, answer.at("ended"));
  }

  void sendInputs(Wire& wire, const Json& missing) {
    double all = 0, sent = 0;
    std::vector<const SentRun::File*> files;
    for (const auto& sha256 : missing)
      for (const auto& file : run_.files)
        if (sha256 == file.sha256) {
          files.push_back(&file);
          all += double(file.bytes);
          break;
        }
    for (const SentRun::File* file : files) {
      const double begun = 0.15 * sent / all, end = 0.15 * (sent += double(file->bytes)) / all;
      wire.sendFile(file->here, file->bytes,
                    progress_.part(begun, end, "send " + file->here.filename().string()));
      moved_ = true;
    }
  }

  /// Shows its progress there until it has ended.
  Json follow(Wire& wire) {
    constexpr int kWait = 50;  // ms
    for (bool told = false;;) {
      if (!told && progress_.stopRequested()) {
        wire.send({{"cancel", true}});
        told = true;
      }
      if (!wire.isWaiting(kWait)) continue;
      const Json message = wire.receive();
      heard_ = Clock::now();
      if (message.contains("ended")) return message;
      if (message.contains("preview")) takePreview(wire, message.at("preview"));
      if (message.contains("progress") && !told) show(message.at("progress").get<std::string>());
    }
  }

  void takePreview(Wire& wire, const Json& files) {
    if (!wantsPreviews_)
      throw Error(place_.host + " sends a preview", "none was requested", "ask its administrator",
                  ErrorKind::badInput);
    const fs::path folder = previews_.begin();
    for (const Json& file : files) {
      const auto name = file.at(0).get<std::string>();
      requireResult(name, results_);
      wire.receiveFile(folder / name, file.at(1).get<std::uint64_t>(), {});
    }
    previews_.publish();
  }

  void show(const std::string& line) {
    try {
      const Json far = io::parseJson(line, "progress");
      const double at = 0.15 + 0.75 * std::clamp(far.at("fraction").get<double>(), 0.0, 1.0);
      progress_
          .part(at, at, place_.host + ": " + sanitizedForDisplay(far.at("stage").get<std::string>(), 200))
          .update(0);
    } catch (const Cancelled&) {       // follow() handles it
    } catch (const std::exception&) {  // other output printed there
    }
  }

  Outcome takeOver(Wire& wire, const Json& end) {
    Outcome outcome{end.at("code"), end.at("complaint"), end.value("printed", "")};
    const Json files = end.value("files", Json::array());
    using namespace cli::exit_code;
    const std::set<int> codes{
        done,       int(ErrorKind::usage), int(ErrorKind::badInput), int(ErrorKind::unavailable), internal,
        interrupted};
    if (!codes.contains(outcome.code) || (outcome.code == done && files.empty()))
      throw Error(place_.host + " says that the run has ended, and sends no results",
                  "its exit code is " + std::to_string(outcome.code), "ask its administrator, or run it here",
                  ErrorKind::unavailable);
    for (std::size_t i = 0; i < files.size(); ++i) {
      const auto name = files[i].at(0).get<std::string>();
      requireResult(name, results_);
      const double begun = 0.9 + 0.1 * double(i) / double(files.size());
      wire.receiveFile(outputs_.file(name), files[i].at(1).get<std::uint64_t>(),
                       progress_.part(begun, begun, "fetch " + name));
    }
    wire.send({{"taken", true}});
    ended_ = true;
    if (outcome.code == interrupted && progress_.stopRequested()) throw Cancelled();
    return outcome;
  }

  [[noreturn]] void failToStop(const std::string& why) const {
    throw Error("The run on " + place_.host + " was not stopped", why,
                "let it end there, or give the same command again and stop it then", ErrorKind::unavailable);
  }

  /// Waits before the next connection, longer every time.
  void pause(std::size_t broken) {
    if (broken >= kMostPauses)
      throw Error("The connection to " + place_.host + " broke and could not be resumed", why_->what(),
                  "give the same command again later: the run continues there", ErrorKind::unavailable);
    constexpr int kStep = 50;  // ms between two checks whether to stop
    for (int left = 1000 << broken; left > 0; left -= kStep) {
      if (started_ && progress_.stopRequested()) failToStop("the connection to it is broken");
      progress_.part(0, 0, "connection to " + place_.host + " broken, reconnecting").update(0);
      waitFor(kStep);
    }
  }

  const SentRun& run_;
  const RemoteTarget& place_;
  const cli::CliContext& session_;
  const std::vector<std::string>& results_;
  const io::StagedFiles& outputs_;
  const cli::PreviewFolder previews_;
  const bool wantsPreviews_;
  const Progress& progress_;
  bool reached_ = false, sent_ = false, started_ = false, moved_ = false, ended_ = false;
  Clock::time_point heard_{};  ///< time of the machine's last message
  std::optional<Error> why_;   ///< the connection is broken
};

/// The output printed there, with the local names of files.
std::string inOurWords(std::string text, const SentRun& run) {
  for (const auto& [there, here] : run.names)
    for (auto at = text.find(there); at != text.npos; at = text.find(there, at + here.size()))
      text.replace(at, there.size(), here);
  return text;
}

void tell(const cli::RunRequest& request, const Outcome& outcome, const std::vector<fs::path>& files,
          const StageClock& waited, const SentRun& run, const cli::CliContext& session) {
  if (!session.json) {
    std::istringstream lines(inOurWords(outcome.printed, run));
    for (std::string line; std::getline(lines, line);) std::cout << sanitizedForDisplay(line) << "\n";
    return cli::printWaited(request, waited);
  }
  Json json = io::parseJson(outcome.printed, "what was printed there");
  if (!json.is_object())
    throw Error("The output printed there cannot be read", "it is not a JSON object",
                "install this version there: sulcus-cli remote setup HOST", ErrorKind::unavailable);
  json["out"] = request.out;
  json["waited"] = cli::waitJson(waited);
  json["files"] = Json::array();
  for (const auto& file : files) json["files"].push_back(file.string());
  std::cout << io::jsonText(json);
}

}  // namespace

int run(const cli::RunRequest& asked, const RemoteTarget& place, const cli::CliContext& session) {
  StageClock waited;
  const OptionValues values = cli::valuesOf(asked);
  cli::RunRequest request = asked;
  request.backend = place.backend;  // which determines the names of the results
  cli::Destination destination(request);
  Outcome outcome;
  SentRun sent;
  std::vector<fs::path> files;
  {
    cli::ProgressDisplay display(session);
    const Progress progress = display.progress();
    sent = sentRun(request, place, values, session.json, progress.part(0, 0.02, ""));
    if (place.isSlurm()) sent.slurm = slurmDemand(request, place, values, progress.part(0.02, 0.02, ""));
    waited.finish("Checksums");
    const auto names = cli::resultNames(request);
    outcome = Conversation(sent, place, session, {names, destination.outputs, request.previews},
                           progress.part(0.02, 1, ""))
                  .hold();
    waited.finish("There");
    if (outcome.code == cli::exit_code::done) files = cli::publishResults(request, values, destination);
    waited.finish("Write");
  }
  if (outcome.code == cli::exit_code::done)
    tell(request, outcome, files, waited, sent, session);
  else
    std::cerr << "sulcus-cli: " << place.host << ": "
              << sanitizedForDisplay(inOurWords(outcome.complaint, sent)) << "\n";
  return outcome.code;
}

}  // namespace sulcus::app::remote
