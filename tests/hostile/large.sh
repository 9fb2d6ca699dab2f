#!/bin/bash
# Large data in the command line and the window: large.sh FOLDER-OF-PROGRAMS. A 4D file of 2 GB is described and shown; 500 layers are open
# at once, saved as a session and opened again.
set -u
bin=$(realpath "$1")
[ "$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)" -gt 9000000 ] || { echo 'skipped: less than 9 GB of memory are free'; exit 77; }
if [ -z "${DISPLAY:-}" ]; then
  command -v xvfb-run >/dev/null || { echo 'skipped: there is no display, and no xvfb-run'; exit 77; }
  exec xvfb-run -a -s '-screen 0 1920x1200x24 -noreset' "$0" "$bin"
fi
export LIBGL_ALWAYS_SOFTWARE=${LIBGL_ALWAYS_SOFTWARE:-1} QT_QPA_PLATFORM=xcb
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
fail() { echo "$1"; exit 1; }

# A header, and a sparse file: 128 × 128 × 64 × 500 32-bit numbers.
python3 - <<'NIFTI' || exit 1
import struct
header = bytearray(352)
struct.pack_into('<i', header, 0, 348)
struct.pack_into('<8h', header, 40, 4, 128, 128, 64, 500, 1, 1, 1)
struct.pack_into('<hh', header, 70, 16, 32)
struct.pack_into('<8f', header, 76, 1, 2, 2, 2, 2, 1, 1, 1)
struct.pack_into('<f', header, 108, 352)
header[344:348] = b'n+1\0'
with open('series.nii', 'wb') as file:
    file.write(header)
    file.truncate(352 + 4 * 128 * 128 * 64 * 500)
NIFTI
"$bin/sulcus-cli" info series.nii --quiet | grep -q '500 volumes' || fail '2 GB are not told of'
"$bin/sulcus" series.nii --size 600x400 --screenshot series.png || fail '2 GB are not shown'

"$bin/sulcus-cli" phantom surface --size 32 --out s --quiet >/dev/null || exit 1
files=()
for ((i = 0; i < 500; ++i)); do
  ln s/mask.nii.gz "$i.nii.gz" && files+=("$i.nii.gz")
done
"$bin/sulcus" "${files[@]}" --size 600x400 --save-session many.sulcus || fail '500 layers are not opened'
[ "$(grep -c '"Content": ' many.sulcus)" = 500 ] || fail 'the session has not 500 layers'
"$bin/sulcus" many.sulcus --size 600x400 --screenshot many.png || fail 'a session of 500 layers is not opened'
echo 'a 4D file of 2 GB and 500 layers: shown'
