#!/bin/bash
# Uses a window at random for this long: load.sh FOLDER-OF-PROGRAMS [SECONDS [SEED]]. The files that it opens are phantoms, small results,
# and damaged copies of them. Prints what the window holds after each round in which everything was opened and closed. In a test run it
# takes 15 s, which only shows that all rounds end; a release requires an hour: tests/hostile/load.sh build/full/bin 3600
set -u
if [ ! -x "${1:-}/sulcus_window_load" ] || [[ ! ${2:-60} =~ ^[0-9]+$ ]]; then
  sed -n '2,5s/^# //p' "$0" >&2
  exit 2
fi
bin=$(realpath "$1") seconds=${2:-60} seed=${3:-1}
if [ -z "${DISPLAY:-}" ]; then
  command -v xvfb-run >/dev/null || { echo 'skipped: there is no display, and no xvfb-run'; exit 77; }
  exec xvfb-run -a -s '-screen 0 1920x1200x24 -noreset' "$0" "$bin" "$seconds" "$seed"
fi
here=$(realpath "$(dirname "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PATH="$bin:$PATH" LIBGL_ALWAYS_SOFTWARE=${LIBGL_ALWAYS_SOFTWARE:-1} QT_QPA_PLATFORM=xcb
cd "$folder" && mkdir files || exit 1
. "$here/runs.sh"
phantoms || exit 1
for made in f a g s; do
  for file in $made/*; do
    cp "$file" "files/$made-$(basename "$file")"
  done
done
# One in three also exists truncated, and with other bytes in its middle.
n=0
for file in files/*; do
  [ $((n++ % 3)) = 0 ] || continue
  name=$(basename "$file") size=$(stat -c %s "$file")
  head -c $((size / 2)) "$file" >"files/cut-$name"
  { head -c $((size / 3)) "$file"; head -c 64 /dev/urandom; tail -c +$((size / 3 + 65)) "$file"; } >"files/damaged-$name"
done
"$bin/sulcus_window_load" "$folder" "$seconds" "$seed"
