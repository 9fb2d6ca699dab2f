#include "app/remote/ssh.h"

#include "app/version.h"
#include "core/base/provenance.h"
#include "core/base/sanitized.h"

namespace sulcus::app::remote {
namespace {

constexpr int kMissing = 127;  // a shell's exit code for a missing program
constexpr int kOfSsh = 255;

/// Calls the program that was set up there, else one that is installed there. Login shells differ, so sh is
/// called explicitly.
std::string serveCommand() {
  return "exec sh -c 'for program in \"$HOME/" + remoteFolder() +
         "/bin/sulcus-cli\" sulcus-cli; do if command -v \"$program\" > /dev/null 2>&1; then exec "
         "\"$program\" "
         "serve; fi; done; exit 127'";
}

std::string lastLine(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// The version of a Sulcus: "0.1.0, commit 1a2b3c4".
std::string versionOf(const Wire::Json& greeting) {
  const auto word = [&](const char* key) {
    return greeting.contains(key) && greeting[key].is_string()
               ? sanitizedForDisplay(greeting[key].get<std::string>(), 60)
               : std::string();
  };
  const std::string version = word("sulcus"), commit = word("commit");
  return version + (version.empty() || commit.empty() ? "" : ", ") + commit;
}

/// A Sulcus that was built from other sources may compute and communicate differently, even with the same
/// version number.
NotSetUp otherVersion(const std::string& host, const std::string& there, const std::string& here) {
  return NotSetUp(
      "Sulcus on " + host + " is " + (there.empty() ? "an old one" : there) + ", here it is " + here,
      "results would not be the same", "install this one there: sulcus-cli remote setup " + host,
      ErrorKind::unavailable);
}

}  // namespace

Wire::Json greetingOfThis() { return {{"sulcus", sulcusVersion()}, {"commit", buildCommit()}}; }

std::string remoteFolder() { return ".local/share/sulcus/" + sulcusVersion(); }

std::vector<std::string> sshWords(const std::string& host, const std::string& command) {
  std::vector<std::string> words{"ssh", "-T"};
  for (const char* setting : {"BatchMode=yes", "ConnectTimeout=20", "ServerAliveInterval=15",
                              "ServerAliveCountMax=3", "EscapeChar=none", "ClearAllForwardings=yes",
                              "ForwardAgent=no", "ForwardX11=no", "RemoteCommand=none", "LogLevel=ERROR"})
    words.insert(words.end(), {"-o", setting});
  words.insert(words.end(), {"--", host, command});
  return words;
}

void failOfSsh(const std::string& host, const cli::ChildAnswer& answer) {
  const std::string& said = answer.complaint;
  const auto holds = [&](const char* text) { return said.find(text) != std::string::npos; };
  const auto fail = [](const std::string& problem, const std::string& why, const std::string& advice) {
    throw Error(problem, why, advice, ErrorKind::unavailable);
  };
  const std::string reason = said.empty() ? "it gives no reason" : sanitizedForDisplay(lastLine(said), 200);
  if (answer.code == kMissing)
    throw NotSetUp("Sulcus is not installed on " + host, "runs are computed by it there",
                   "install it: sulcus-cli remote setup " + host, ErrorKind::unavailable);
  if (holds("Unknown command 'serve'")) throw otherVersion(host, "", versionOf(greetingOfThis()));
  if (answer.code != kOfSsh)
    throw NotSetUp("Sulcus on " + host + " does not start", reason,
                   "try ssh " + host + " sulcus-cli --version", ErrorKind::unavailable);
  if (holds("IDENTIFICATION HAS CHANGED"))
    fail("The host key of " + host + " has changed",
         "someone may be intercepting the connection, or the machine was reinstalled",
         "ask its administrator; then remove the old key (ssh-keygen -R) and log in once by hand");
  if (holds("Host key verification failed"))
    fail("The host key of " + host + " is not known yet", "it could be any machine",
         "log in once by hand (ssh " + host + "), which shows the key");
  if (holds("Permission denied") || holds("Too many authentication failures"))
    fail(host + " refuses your login", reason,
         "give it your public key (ssh-copy-id " + host + "), or start ssh-agent: no password is asked for");
  throw Error(host + " cannot be reached", reason, "check its name and the network: ssh " + host,
              ErrorKind::unavailable);
}

SshLine::SshLine(const std::string& host, const std::function<bool()>& stop)
    : ssh_(sshWords(host, serveCommand())), wire_(ssh_.output(), ssh_.input(), stop) {
  Wire::Json greeting;
  try {
    greeting = wire_.receive();
  } catch (const BrokenLine&) {
    failOfSsh(host, ssh_.end());
  }
  const std::string there = versionOf(greeting), here = versionOf(greetingOfThis());
  if (there != here) throw otherVersion(host, there, here);
}

}  // namespace sulcus::app::remote
