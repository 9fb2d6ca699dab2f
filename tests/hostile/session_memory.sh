#!/bin/bash
# A session whose folder contains a table, or the result of a run, with 80 MB of JSON: session_memory.sh FOLDER-WITH-THE-PROGRAMS. It is
# refused in a sentence before memory is allocated, and the rest of the session is opened.
set -u
command -v Xvfb >/dev/null || { echo "skipped: Xvfb is not installed"; exit 77; }
export PATH="$(realpath "$1"):$PATH"
unset DISPLAY WAYLAND_DISPLAY QT_QPA_PLATFORM
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
most=1000000 # kB; a window with the same session and no such file takes 400 000

fail() {
  echo "$1"
  cat said
  exit 1
}
sulcus-cli phantom surface --size 32 --out p --quiet >said 2>&1 || fail "no phantom"
sulcus p/mask.nii.gz --save-session plain.sulcus >said 2>&1 || fail "no session"

awk '/^ \],/ && !done { print "  ,{\"Name\": \"t\", \"Unit\": \"\", \"Kind\": 5, \"Stored\": \"9.json\"}"; done = 1 } { print }' \
  plain.sulcus >table.sulcus
display='{"Visible": true, "Opacity": 1, "Colors": "gray", "NegativeColors": "", "Range": null, "HideBelow": null,
  "HideAbove": null, "Fade": false, "Interpolate": false, "ColorBar": false, "Outline": true, "Rendered": false, "Cut": "octant"}'
run='{"Analysis": "surface", "Id": 1, "Backend": "cpu", "Title": "r", "Parameters": {}, "Together": 0, "Inputs": [],
  "Contents": [], "Layers": [{"Id": 1, "Name": "mask", "Asked": '$display'}], "Adjusted": false, "Result": "9.json"}'
sed "s|\"Runs\": \[\]|\"Runs\": [$(tr -d '\n' <<<"$run")]|" plain.sulcus >result.sulcus
cmp -s plain.sulcus result.sulcus && fail "no run was written"

# Empty lists, numbers and texts: values that need the most memory for their text.
for value in '[]' 1 '""'; do
  (printf '{"Notes": ['; yes "$value," | tr -d '\n' | head -c $((80000000 / (${#value} + 1) * (${#value} + 1))); printf '%s]}' "$value") >big.json
  for session in table result; do
    mkdir -p $session.sulcus.d && cp big.json $session.sulcus.d/9.json
    sulcus --session $session.sulcus --screenshot picture.png --overwrite >said 2>&1 &
    process=$! peak=0
    while kill -0 $process 2>/dev/null; do
      now=$(sed -n 's/VmHWM:[^0-9]*\([0-9]*\).*/\1/p' /proc/$process/status 2>/dev/null)
      peak=${now:-$peak}
      sleep 0.02
    done
    wait $process || fail "$session of $value: it was not opened"
    grep -q "9.json' is not valid JSON (it has too many values)" said || fail "$session of $value: not refused"
    [ "$peak" -le $most ] || fail "$session of $value: $peak kB"
    echo "$session of $value: refused at $peak kB"
  done
done
