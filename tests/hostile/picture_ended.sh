#!/bin/bash
# Ends a window that makes a page or a picture by a signal, at many moments: picture_ended.sh FOLDER-WITH-THE-PROGRAMS. Nothing of it
# remains in the folder for temporary files.
set -u
command -v Xvfb >/dev/null || { echo "skipped: Xvfb is not installed"; exit 77; }
export PATH="$(realpath "$1"):$PATH"
unset DISPLAY WAYLAND_DISPLAY QT_QPA_PLATFORM
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
mkdir temporary
sulcus-cli phantom surface --size 32 --out p --quiet >said 2>&1 || { cat said; exit 1; }
ended=0
for signal in TERM INT HUP; do
  for moment in 0.1 0.3 0.5 0.8; do
    TMPDIR=$folder/temporary sulcus p/mask.nii.gz --page page.html --overwrite >said 2>&1 &
    process=$!
    sleep $moment
    kill -$signal $process 2>/dev/null && ended=$((ended + 1))
    wait $process 2>/dev/null
    left=$(find temporary -mindepth 1 -name 'sulcus*')
    [ -z "$left" ] || { echo "ended by $signal after $moment s: $left stays"; exit 1; }
  done
done
[ $ended -gt 3 ] || { echo "only $ended were ended before their time"; exit 1; }
echo "$ended of 12 were ended, nothing stays"
