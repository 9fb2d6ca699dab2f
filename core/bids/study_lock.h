#pragma once

#include "core/base/progress.h"

#include <filesystem>
#include <string>

namespace sulcus::bids {

/// Something in the results of a study that one process works on at a time, by its name: a run, the tables.
/// It is a lock on one byte of logs/lock, which the system takes from a process that ends in any way. Over
/// NFS it holds between computers where the server gives locks; where a file system has none, everything
/// counts as held by the caller.
class StudyLock {
 public:
  /// Takes it unless another process has it. Throws Error where the file of locks cannot be made.
  ///
  /// @param out  folder of the results, which exists
  StudyLock(const std::filesystem::path& out, const std::string& name);
  ~StudyLock();
  StudyLock(const StudyLock&) = delete;
  StudyLock& operator=(const StudyLock&) = delete;

  bool isHeld() const { return held_; }
  /// Waits until it is held. Throws Cancelled.
  void await(const Progress& progress = {});

 private:
  void take();

  std::string name_;
  int descriptor_ = -1;
  bool held_ = false;
};

}  // namespace sulcus::bids
