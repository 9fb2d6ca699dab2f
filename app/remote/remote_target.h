#pragma once

#include <optional>
#include <string>

// A backend on another machine, which is reached through ssh.
namespace sulcus::app::remote {

struct RemoteTarget {
  enum class Kind { ssh, slurm } kind = Kind::ssh;  ///< what starts a run there: the login, or Slurm
  std::string host;             ///< as ssh takes it: a name, USER@NAME, or a name of ~/.ssh/config
  std::string backend = "gpu";  ///< what is used there: "gpu", "cpu" or "both"
  std::string partition;        ///< of Slurm; "": that of the cluster
  bool isSlurm() const { return kind == Kind::slurm; }
  /// "ssh:HOST" or "slurm:HOST"
  std::string name() const { return (isSlurm() ? "slurm:" : "ssh:") + host; }
};

/// Parses a remote backend, none for any other text: "ssh:HOST" (the GPU there), "ssh:HOST/cpu",
/// "ssh:HOST/both"; and the same with "slurm:", where a partition may follow: "slurm:HOST/gpu/PARTITION".
/// Throws Error (usage) for a host that cannot be one.
std::optional<RemoteTarget> remoteTargetOf(const std::string& backend);

/// Throws Error (usage) unless ssh can only take this for a host: neither for an option nor for several
/// words.
void requireHost(const std::string& host);

}  // namespace sulcus::app::remote
