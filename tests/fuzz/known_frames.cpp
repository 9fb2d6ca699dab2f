#include <array>
#include <cstdint>

#include <dlfcn.h>
#include <unwind.h>

// Nearly every input ends in an Error, and half of the time then goes to searching, for each frame, where it
// is described and what has to be destroyed. Since code does not move, each answer is cached here: the
// unwinder's two queries, which it makes by the names of these functions, are answered by this file.

namespace {

/// libgcc's struct dwarf_eh_bases.
struct Bases {
  void *text, *data, *function;
};

struct Description {
  void* place = nullptr;
  const void* found = nullptr;
  Bases bases = {};
};

/// What to do in a frame that calls a throwing function; frames that catch are not cached.
struct Step {
  _Unwind_Ptr place = 0;
  const void* type = nullptr;
  int actions = 0;
  _Unwind_Reason_Code code = _URC_NO_REASON;
  _Unwind_Ptr cleanup = 0;  ///< where it begins, with this number
  _Unwind_Word number = 0;
};

constexpr int kBits = 12;
std::size_t slot(std::uintptr_t key) { return (key * 0x9e3779b97f4a7c15) >> (64 - kBits); }

/// The type of a C++ exception: the first member of libstdc++'s __cxa_exception, whose last member the
/// unwinder has.
const void* typeOf(const _Unwind_Exception* thrown) {
  return *reinterpret_cast<void* const*>(reinterpret_cast<const char*>(thrown) - 80);
}

}  // namespace

extern "C" const void* _Unwind_Find_FDE(void* place, Bases* bases) {
  static const auto find =
      reinterpret_cast<decltype(&_Unwind_Find_FDE)>(dlsym(RTLD_NEXT, "_Unwind_Find_FDE"));
  thread_local std::array<Description, 1 << kBits> all;
  Description& known = all[slot(std::uintptr_t(place))];
  if (known.place != place) {
    const void* const found = find(place, bases);
    if (!found) return nullptr;
    known = {place, found, *bases};
  }
  *bases = known.bases;
  return known.found;
}

extern "C" _Unwind_Reason_Code __gxx_personality_v0(int version, _Unwind_Action actions,
                                                    _Unwind_Exception_Class kind, _Unwind_Exception* thrown,
                                                    _Unwind_Context* context) {
  static const auto decide =
      reinterpret_cast<decltype(&__gxx_personality_v0)>(dlsym(RTLD_NEXT, "__gxx_personality_v0"));
  constexpr _Unwind_Exception_Class kOfCpp =
      0x474e5543432b2b00;  // "GNUCC++\0", not one that is rethrown elsewhere
  if (kind != kOfCpp || (actions != _UA_SEARCH_PHASE && actions != _UA_CLEANUP_PHASE))
    return decide(version, actions, kind, thrown, context);
  thread_local std::array<Step, 1 << kBits> all;
  const _Unwind_Ptr place = _Unwind_GetIP(context);
  const void* const type = typeOf(thrown);
  Step& known = all[slot(place ^ std::uintptr_t(type) ^ std::uintptr_t(actions) << 60)];
  if (known.place != place || known.type != type || known.actions != actions) {
    const _Unwind_Reason_Code code = decide(version, actions, kind, thrown, context);
    if (code == _URC_CONTINUE_UNWIND)
      known = {place, type, actions, code};
    else if (code == _URC_INSTALL_CONTEXT)
      known = {place, type, actions, code, _Unwind_GetIP(context), _Unwind_GetGR(context, 1)};
    return code;
  }
  if (known.code == _URC_INSTALL_CONTEXT) {
    _Unwind_SetGR(context, 0, reinterpret_cast<_Unwind_Word>(thrown));
    _Unwind_SetGR(context, 1, known.number);
    _Unwind_SetIP(context, known.cleanup);
  }
  return known.code;
}
