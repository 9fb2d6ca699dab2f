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

/// A conversation with `sulcus-cli serve` on another machine. OpenSSH makes the connection, by the user's own
/// configuration and keys; it asks nothing, and what it calls there is a fixed text.
class SshLine {
 public:
  /// Connects, and waits for the other side to say that it is a Sulcus of this version and commit. Throws
  /// NotSetUp, or another Error (unavailable) that says why there is no connection, and Cancelled.
  SshLine(const std::string& host, const std::function<bool()>& stop);

  Wire& wire() { return wire_; }

 private:
  cli::TalkingChild ssh_;
  Wire wire_;
};

/// What a Sulcus says first, by which the two sides know whether they are the same: version and commit.
Wire::Json greetingOfThis();
/// Where a Sulcus of this version is looked for first, below the home folder of the other machine.
std::string remoteFolder();
/// The words that call ssh with a command for the shell of another machine.
std::vector<std::string> sshWords(const std::string& host, const std::string& command);
/// Throws what is to be said when ssh ended by itself: NotSetUp, or another Error (unavailable).
[[noreturn]] void failOfSsh(const std::string& host, const cli::ChildAnswer& answer);

}  // namespace sulcus::app::remote
