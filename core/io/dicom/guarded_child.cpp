#include "core/io/dicom/guarded_child.h"

#include "core/base/error.h"
#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/files/file_places.h"
#include "core/base/platform/processes/own_program.h"
#include "core/base/platform/processes/pipe.h"
#include "core/base/platform/processes/processes.h"
#include "core/io/streams/byte_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sulcus::io {
namespace {

constexpr const char* kProgram = "sulcus-dicom";

/// Ends a wait that takes too long.
void requireTime(GuardedChild::Clock::time_point deadline, const Progress& progress) {
  progress.throwIfCancelled();
  if (GuardedChild::Clock::now() > deadline) throw GuardedChild::Late{};
}

constexpr int kBetween = 50;  // ms between two checks whether to stop

}  // namespace

void GuardedChild::give(std::span<const char> bytes, Clock::time_point deadline,
                        const Progress& progress) const {
  while (!bytes.empty()) {
    requireTime(deadline, progress);
    const int ready = waitToWrite(channel_, kBetween);
    const std::ptrdiff_t count = ready > 0 ? sendSome(channel_, bytes) : ready;
    if (count < 0) throw Lost{};
    bytes = bytes.subspan(std::size_t(count));
  }
}

void GuardedChild::take(std::span<char> bytes, Clock::time_point deadline, const Progress& progress) const {
  while (!bytes.empty()) {
    requireTime(deadline, progress);
    const int ready = waitToRead(channel_, kBetween);
    if (ready == 0) continue;
    const std::ptrdiff_t count = ready > 0 ? readSome(channel_, bytes) : 0;
    if (count == 0 || (count < 0 && errno != EAGAIN)) throw Lost{};
    if (count > 0) bytes = bytes.subspan(std::size_t(count));
  }
}

void GuardedChild::end() {
  if (channel_ >= 0) closeDescriptor(channel_);
  if (process_ > 0) {
    killProgram(process_);
    awaitEnd(process_);
  }
  channel_ = -1;
  process_ = 0;
}

std::string GuardedChild::takeAll(std::size_t most, Clock::time_point deadline, const Progress& progress,
                                  const std::function<void()>& look) {
  std::string all;
  std::array<char, 4096> part;
  while (true) {
    look();
    requireTime(deadline, progress);
    waitToRead(channel_, kBetween);
    const std::ptrdiff_t count = readSome(channel_, part);
    if (count > 0) all.append(part.data(), std::min(std::size_t(count), most - all.size()));
    if (count == 0 || (count < 0 && errno == ECONNRESET)) break;
    if (count < 0 && errno != EAGAIN) throw Lost{};
  }
  // It has closed its output and will now end, unless something blocks it.
  while (!awaitEnds({&process_, 1}, kBetween))
    if (Clock::now() > deadline) throw Late{};
  const ProgramEnd ended = awaitEnd(std::exchange(process_, 0));
  if (ended.code < 0) throw Lost{};
  return all;
}

void GuardedChild::start(const std::string& what, const std::vector<std::string>& arguments) {
  if (process_ > 0) return;
  if (program_.empty()) program_ = ownProgram().parent_path() / kProgram;
  if (!isProgram(program_))
    throw Error(what + " cannot be decoded", "the program " + quoted(program_) + " is not next to this one",
                "build or install Sulcus again", ErrorKind::unavailable);
  const auto fail = [&](int fault) {
    throw Error(what + " cannot be decoded", std::strerror(fault), "close other programs",
                ErrorKind::unavailable);
  };
  int ends[2];
  if (const int fault = makeChannel(ends)) fail(fault);
  channel_ = ends[0];
  std::vector<std::string> words{program_.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  ProgramStart how;
  how.input = how.output = ends[1];
  how.complaint = ProgramStart::kNothing;
  how.group = ProgramStart::Group::own;
  how.isolated = true;
  const int fault = startProgram(words, how, process_);
  closeDescriptor(ends[1]);
  if (fault == 0) return;
  end();
  fail(fault);
}

}  // namespace sulcus::io
