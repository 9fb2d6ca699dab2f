#pragma once

#include "core/base/progress.h"

#include <filesystem>
#include <string>

namespace sulcus::bids {

/// A lock on some part of the results of a study that only one process may work on at a time, by its name: a
/// run, the tables. It locks one byte of logs/lock, and the system releases it however the process ends. Over
/// NFS it works between computers if the server supports locks; in a file system without locks, everything
/// counts as held by the caller.
class StudyLock {
 public:
  /// Acquires the lock unless another process holds it. Throws Error if the lock file cannot be created.
  ///
  /// @param out  existing folder of the results
  StudyLock(const std::filesystem::path& out, const std::string& name);
  ~StudyLock();
  StudyLock(const StudyLock&) = delete;
  StudyLock& operator=(const StudyLock&) = delete;

  bool isHeld() const { return held_; }
  /// Waits until the lock is held. Throws Cancelled.
  void await(const Progress& progress = {});

 private:
  void take();

  std::string name_;
  int descriptor_ = -1;
  bool held_ = false;
};

}  // namespace sulcus::bids
