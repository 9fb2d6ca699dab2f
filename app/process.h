#pragma once

namespace sulcus::app {

/// To be called first. A file that grows beyond its limit and a reader that went away are errors where
/// something is written, not signals that end the program; and no file opened later takes the number of a
/// standard stream that was closed, whose text would end up in it.
void prepareProcess();

}  // namespace sulcus::app
