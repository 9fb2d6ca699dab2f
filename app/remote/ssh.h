#pragma once

#include "app/cli/child.h"
#include "app/remote/wire.h"
#include "core/base/error.h"

#include <functional>
#include <string>

namespace sulcus::app::remote {

/// There is no Sulcus of this version and commit on the other machine.
struct NotSetUp : Error {
  using Error::Error;
};

/// A connection to `sulcus-cli serve` on another machine. OpenSSH makes the connection, with the user's own
/// configuration and keys; it does not prompt, and what it calls there is a fixed text.
class SshLine {
 public:
  /// Connects, and waits for the other side to identify itself as a Sulcus of this version and commit. Throws
  /// NotSetUp, or another Error (unavailable) that says why there is no connection, and Cancelled.
  SshLine(const std::string& host, const std::function<bool()>& stop);

  Wire& wire() { return wire_; }

 private:
  cli::TalkingChild ssh_;
  Wire wire_;
};

/// The first message of a Sulcus, by which the two sides check that they are the same: version and commit.
Wire::Json greetingOfThis();
/// Where a Sulcus of this version is searched first, below the home folder of the other machine.
std::string remoteFolder();
/// The command line of ssh with a command for the shell of another machine.
std::vector<std::string> sshWords(const std::string& host, const std::string& command);
/// Throws the error for an ssh that ended by itself: NotSetUp, or another Error (unavailable).
[[noreturn]] void failOfSsh(const std::string& host, const cli::ChildAnswer& answer);

}  // namespace sulcus::app::remote
