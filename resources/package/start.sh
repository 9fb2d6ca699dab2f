#!/bin/sh
# Starts the program of this name from a relocatable package, wherever it was unpacked. The package's own libraries (lib/sulcus) are on the
# programs' search path; this script adds those that most systems have, if this one lacks them.
self=$(readlink -f "$0")
home=${self%/bin/*}
name=${self##*/}
export SULCUS_PROGRAM="$home/bin/$name"

# Names of the libraries that the system's loader finds, one on each line.
known=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | sed 's/^[[:space:]]*\([^ ]*\) .*/\1/')
has() {
  case "
$known
" in *"
$1
"*) true ;; *) false ;; esac
}

added=
add() { added=${added:+$added:}$1; }
has libGLX_mesa.so.0 || has libGLX_nvidia.so.0 || {
  add "$home/lib/mesa"
  export LIBGL_DRIVERS_PATH="$home/lib/mesa/dri"
}
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$home/share/fonts/fonts.conf"
export SULCUS_FONTS="$home/share/fonts"
[ -e /usr/share/X11/xkb/rules/evdev ] || export XKB_CONFIG_ROOT="$home/share/xkb"

# @GLIBC@ is the newest C library version that the packaged libraries need. An older system uses the package's C library and loader, and all
# packaged libraries; a newer one keeps its own desktop libraries, for which its graphics drivers are built.
system=$(getconf GNU_LIBC_VERSION 2>/dev/null)
oldest=$(printf '%s\n' "@GLIBC@" "${system#glibc }" | sort -V | head -n 1)
if [ "$oldest" = "@GLIBC@" ]; then
  for library in "$home"/lib/system/*/*; do
    has "${library##*/}" || add "${library%/*}"
  done
  [ -z "$added" ] || export LD_LIBRARY_PATH="$added${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  exec "$home/lib/sulcus/$name" "$@"
fi
for library in "$home"/lib/system/*/; do add "${library%/}"; done
exec "$home/lib/sulcus/ld-linux-x86-64.so.2" --library-path "$home/lib/glibc:$added${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
  --argv0 "$self" "$home/lib/sulcus/$name" "$@"
