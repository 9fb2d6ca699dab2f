#!/bin/bash
# Kills a window at random moments of its work and checks what is lost: kill_window.sh WINDOW-WALK [TIMES]. The window saves automatically
# every second; its work before that, and every file, must exist.
set -u
walk=$(realpath "$1") times=${2:-8}
if [ -z "${DISPLAY:-}" ]; then
  command -v xvfb-run >/dev/null || { echo 'skipped: there is no display, and no xvfb-run'; exit 77; }
  exec xvfb-run -a -s '-screen 0 1920x1200x24 -noreset' "$0" "$walk" "$times"
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for ((i = 1; i <= times; ++i)); do
  state=$folder/$i
  mkdir "$state"
  "$walk" "$state" >"$state/said" 2>/dev/null &
  window=$!
  while [ ! -s "$state/steps" ] && kill -0 $window 2>/dev/null; do sleep 0.1; done
  sleep "$((RANDOM % 6)).$((RANDOM % 10))$((RANDOM % 10))"
  kill -KILL $window 2>/dev/null || { echo "walk $i ended by itself: $(cat "$state/said")"; exit 1; }
  killed=$(date +%s.%N)
  wait $window 2>/dev/null
  found=$("$walk" "$state" "$killed" 2>/dev/null) || { echo "walk $i: $found"; exit 1; }
  echo "$found"
  rm -rf "$state"
done | tee "$folder/all"
[ "${PIPESTATUS[0]}" -eq 0 ] || exit 1
sort -n -k 5 "$folder/all" | awk '{ lost[NR] = $5; steps += $1 } END {
  printf "%d kills, %d steps: half lose at most %.2f s, none more than %.2f s\n", NR, steps, lost[int((NR + 1) / 2)], lost[NR]
  exit lost[NR] > 30 }'
