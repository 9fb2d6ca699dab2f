#pragma once

#include <optional>
#include <string>

// A backend on another machine that is reached through ssh.
namespace sulcus::app::remote {

struct RemoteTarget {
  enum class Kind { ssh, slurm } kind = Kind::ssh;  ///< what starts a run there: the login, or Slurm
  std::string host;             ///< in ssh's notation: a name, USER@NAME, or a name in ~/.ssh/config
  std::string backend = "gpu";  ///< what to use there: "gpu", "cpu" or "both"
  std::string partition;        ///< of Slurm; "": the cluster's default
  bool isSlurm() const { return kind == Kind::slurm; }
  /// "ssh:HOST" or "slurm:HOST"
  std::string name() const { return (isSlurm() ? "slurm:" : "ssh:") + host; }
};

/// Parses a remote backend, none for any other text: "ssh:HOST" (the GPU there), "ssh:HOST/cpu",
/// "ssh:HOST/both"; and the same with "slurm:", where a partition may follow: "slurm:HOST/gpu/PARTITION".
/// Throws Error (usage) for an invalid host.
std::optional<RemoteTarget> remoteTargetOf(const std::string& backend);

/// Throws Error (usage) unless ssh can interpret this only as a host: neither as an option nor as several
/// words.
void requireHost(const std::string& host);

}  // namespace sulcus::app::remote
