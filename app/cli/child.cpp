#include "app/cli/child.h"

#include "core/base/error.h"
#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/processes/pipe.h"
#include "core/base/platform/processes/processes.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <utility>

namespace sulcus::app::cli {
namespace {

/// A pipe, closed by the destructor.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (makePipe(ends) != 0) ends[0] = ends[1] = -1;
  }
  ~Pipe() { closeEnd(0), closeEnd(1); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void closeEnd(int end) {
    if (ends[end] >= 0) closeDescriptor(std::exchange(ends[end], -1));
  }
  std::string all() const {
    std::string text;
    std::array<char, 4096> part;
    for (std::ptrdiff_t count; (count = readSome(ends[0], part)) > 0;)
      text.append(part.data(), std::size_t(count));
    return text;
  }
};

/// Starts a program whose error output goes to a temporary file, if there is one.
int start(const std::vector<std::string>& words, ProgramStart how, std::FILE* complaint, int& child) {
  if (complaint) how.complaint = fileno(complaint);
  return startProgram(words, how, child);
}

/// Returns what was written to a temporary file, and deletes the file.
std::string takeAll(std::FILE* file) {
  std::string text;
  std::rewind(file);
  std::array<char, 4096> part;
  for (std::size_t count; (count = std::fread(part.data(), 1, part.size(), file)) > 0;)
    text.append(part.data(), count);
  std::fclose(file);
  return text;
}

std::string cannotStart(const std::string& program, int fault) {
  return program + " cannot be started: " + std::strerror(fault);
}

}  // namespace

ChildAnswer callProgram(const std::vector<std::string>& words) {
  Pipe out, complaint;
  ProgramStart how;
  how.output = out.ends[1];
  how.complaint = complaint.ends[1];
  int child = 0;
  const int fault = startProgram(words, how, child);
  out.closeEnd(1), complaint.closeEnd(1);
  if (fault != 0) return {-1, "", cannotStart(words[0], fault)};
  ChildAnswer answer{0, out.all(), complaint.all()};
  answer.code = awaitEnd(child).code;
  return answer;
}

ChildAnswer callPiped(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  Pipe between;
  const std::vector<std::string>* const words[] = {&first, &second};
  int children[] = {0, 0};
  std::FILE* complaints[] = {std::tmpfile(), std::tmpfile()};
  ChildAnswer answers[2];
  for (const int i : {0, 1}) {
    ProgramStart how;
    if (i == 0)
      how.output = between.ends[1];
    else
      how.input = between.ends[0];
    const int fault = start(*words[i], how, complaints[i], children[i]);
    if (fault != 0) answers[i] = {-1, "", cannotStart((*words[i])[0], fault)};
    between.closeEnd(1 - i);
  }
  for (const int i : {0, 1}) {
    if (children[i] > 0) answers[i].code = awaitEnd(children[i]).code;
    if (complaints[i]) answers[i].complaint += takeAll(complaints[i]);
  }
  if (children[0] == 0) return answers[0];  // it could not start, which explains any outcome of the second
  return answers[1].code != 0 || answers[0].code == 0 ? answers[1] : answers[0];
}

namespace {

/// Programs that run side by side.
class SideBySide {
 public:
  /// Starts them.
  ///
  /// @param talk  whether they print to this process' output; else their output is kept
  SideBySide(const std::vector<std::vector<std::string>>& calls, bool talk)
      : answers_(calls.size()), children_(calls.size(), 0), prints_(calls.size(), nullptr) {
    for (std::size_t c = 0; c < calls.size(); ++c) {
      if (!talk) prints_[c] = std::tmpfile();
      ProgramStart how;
      if (prints_[c]) how.output = fileno(prints_[c]);
      how.group = ProgramStart::Group::own;
      const int fault = startProgram(calls[c], how, children_[c]);
      if (fault != 0) answers_[c] = {-1, "", cannotStart(calls[c][0], fault)};
    }
  }

  bool isRunning() const {
    return std::ranges::any_of(children_, [](int child) { return child > 0; });
  }

  void interrupt() const {
    for (const int child : children_)
      if (child > 0) interruptProgram(child);
  }

  /// Waits until one ends, for at most `most` ms.
  void wait(int most) {
    awaitEnds(children_, most);
    for (std::size_t c = 0; c < children_.size(); ++c) {
      const auto end = children_[c] > 0 ? takeEnd(children_[c]) : std::nullopt;
      if (!end) continue;
      children_[c] = 0;
      answers_[c].code = end->code;
      if (end->code < 0) answers_[c].complaint = end->killed.empty() ? "killed" : "killed: " + end->killed;
    }
  }

  std::vector<ChildAnswer> answers() {
    for (std::size_t c = 0; c < prints_.size(); ++c)
      if (prints_[c]) answers_[c].out = takeAll(prints_[c]);
    return std::move(answers_);
  }

 private:
  std::vector<ChildAnswer> answers_;
  std::vector<int> children_;       ///< 0: not running
  std::vector<std::FILE*> prints_;  ///< files, since the output may be more than a pipe holds
};

}  // namespace

std::vector<ChildAnswer> callSideBySide(const std::vector<std::vector<std::string>>& calls, bool talk,
                                        const std::function<bool()>& stop) {
  constexpr int kMostWait = 50;  // ms between two checks of `stop`
  SideBySide programs(calls, talk);
  bool isStopped = false;
  while (programs.isRunning()) {
    if (!isStopped && stop()) {
      isStopped = true;
      programs.interrupt();
    }
    programs.wait(kMostWait);
  }
  return programs.answers();
}

TalkingChild::TalkingChild(const std::vector<std::string>& words) : complaint_(std::tmpfile()) {
  Pipe in, out;
  ProgramStart how;
  how.input = in.ends[0];
  how.output = out.ends[1];
  how.group = ProgramStart::Group::own;
  if (const int fault = start(words, how, complaint_, id_); fault != 0) {
    if (complaint_) std::fclose(complaint_);
    throw Error(words[0] + " cannot be started", std::strerror(fault), "install it, or put it on the PATH",
                ErrorKind::unavailable);
  }
  input_ = std::exchange(in.ends[1], -1);
  output_ = std::exchange(out.ends[0], -1);
  doNotBlock(input_);
}

TalkingChild::~TalkingChild() { end(); }

void TalkingChild::closeInput() {
  if (input_ >= 0) closeDescriptor(std::exchange(input_, -1));
}

void TalkingChild::interrupt() const {
  if (id_ > 0) interruptProgram(id_);
}

ChildAnswer TalkingChild::end() {
  closeInput();
  if (output_ >= 0) closeDescriptor(std::exchange(output_, -1));
  if (id_ > 0) {
    constexpr int kPatience = 2000;  // ms in which it may end by itself, with an error message
    if (!awaitEnds({&id_, 1}, kPatience)) askToEnd(id_);
    answer_.code = awaitEnd(std::exchange(id_, 0)).code;
  }
  if (complaint_) answer_.complaint = takeAll(std::exchange(complaint_, nullptr));
  return answer_;
}

}  // namespace sulcus::app::cli
