#!/bin/bash
# Lets one call of the CUDA runtime go wrong, and the device be lost, in the middle of a run: cuda_faults.sh PROGRAM [EVERY [COMMAND…]]
# PROGRAM is sulcus-cli-cuda-faults, EVERY 1 unless said: at the first call from each place, or each second, third … place. A run either fails with
# one sentence and exit code 4, leaves nothing and holds nothing of the device, or gives the same result. Skipped without a GPU.
# What happened at each place is written into the folder $OUT, where that is set.
set -u
. "$(dirname "$0")/runs.sh"
program=$(realpath "$1")
every=${2:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
sulcus-cli() { "$program" "$@"; }
sulcus-cli devices --quiet | grep -q MB || sulcus-cli devices --quiet | grep -q GB || { echo 'skipped: there is no GPU'; exit 77; }
phantoms || exit 1
names=("${@:3}")
[ ${#names[@]} -gt 0 ] || names=(fibers activation registration surface)

# once CALL CALLED FAULT: what happened, in one line.
once() {
  local code out=r-$1-$3
  FAULT_AT=$1 FAULT_IS=$3 FAULT_COUNT=$out.held timeout 60 "${command[@]}" --out "$out" >/dev/null 2>"$out.said"
  code=$?
  case $code in
    0)
      same "$out" "whole-$name" && echo "same $2" ||
        echo "failure: it says that it worked, and the result is another one: $(diff -rq "$out" "whole-$name" | head -n 3 | tr '\n' ' ')"
      ;;
    4)
      if ! one_sentence "$out.said"; then
        echo "failure: not one sentence: $(head -c 400 "$out.said")"
      elif [ -e "$out" ] && [ -n "$(ls -A "$out")" ]; then
        echo "failure: exit code 4, and there is something: $(ls -A "$out")"
      elif [ "$3" != lost ] && ! grep -qx 'held 0' "$out.held"; then
        echo "failure: exit code 4, and of the device it $(tail -n 1 "$out.held")"
      else
        echo "refused $2: $(cat "$out.said")"
      fi
      ;;
    *) echo "failure: exit code $code: $(head -c 400 "$out.said")" ;;
  esac | sed "s/^failure/failure: $name, call $1 ($2), $3/"
  rm -rf "$out" "$out".*
}

for name in "${names[@]}"; do
  outcomes=${OUT:-.}/outcomes-$name
  : >"$outcomes"
  command=("$program" ${commands[$name]} --backend gpu --quiet)
  FAULT_COUNT=places "${command[@]}" --out "whole-$name" >/dev/null || exit 1
  while read -r number called; do
    [ "$number" != held ] || continue
    for fault in 719 lost; do  # cudaErrorLaunchFailure
      while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
      once "$number" "$called" $fault >>"$outcomes" &
    done
  done < <(awk -v every="$every" 'NR % every == 0 || $1 == "held"' places)
  wait
  echo "$name: $(grep -vc held places) places; runs refused $(grep -c '^refused' "$outcomes"), the same $(grep -c '^same' "$outcomes"), failures $(grep -c '^failure' "$outcomes")"
done
! cat "${OUT:-.}"/outcomes-* | grep '^failure'
