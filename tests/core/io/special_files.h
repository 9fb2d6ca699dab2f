#pragma once

#include <filesystem>
#include <vector>

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace sulcus::test {

/// Makes a pipe, a socket, a link to the pipe and, if permitted, a device in `folder`.
inline std::vector<std::filesystem::path> specialFilesIn(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> made;
  if (mkfifo((folder / "pipe").c_str(), 0600) == 0) made.push_back(folder / "pipe");
  if (mknod((folder / "socket").c_str(), S_IFSOCK | 0600, 0) == 0) made.push_back(folder / "socket");
  std::filesystem::create_symlink("pipe", folder / "link");
  made.push_back(folder / "link");
  if (mknod((folder / "device").c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0)  // a null device
    made.push_back(folder / "device");
  return made;
}

}  // namespace sulcus::test
