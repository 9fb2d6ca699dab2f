#!/bin/bash
# Makes one call of the CUDA runtime fail, or loses the device, in the middle of a run: cuda_faults.sh PROGRAM [EVERY [COMMAND…]]. PROGRAM
# is sulcus-cli-cuda-faults; EVERY, default 1, selects the first call from each place, or from each second, third … place. A run either
# fails with one sentence and exit code 4, leaves no files and holds nothing of the device, or gives the same result. Skipped without a GPU.
# The outcome at each place is written to the folder $OUT, if set.
set -u
. "$(dirname "$0")/runs.sh"
program=$(realpath "$1")
every=${2:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
sulcus-cli() { "$program" "$@"; }
! sulcus-cli devices --quiet | grep -q '^No CUDA device' || { echo 'skipped: there is no GPU'; exit 77; }
phantoms || exit 1
names=("${@:3}")
[ ${#names[@]} -gt 0 ] || names=(fibers activation registration surface)

# once CALL CALLED FAULT: the outcome, in one line. Each runs in its own folder, since the command line is part of the result. The time
# limit is long, since the driver ends processes that lost their device one after another, and keeps each of them until then.
once() {
  local code
  mkdir "$1-$3" && cd "$1-$3" && ln -s ../[fags] . || exit
  FAULT_AT=$1 FAULT_IS=$3 FAULT_COUNT=places timeout -k 5 300 "${command[@]}" >/dev/null 2>said
  code=$?
  case $code in
    0) same r "../whole-$name" && echo "same after $3 $2" || echo "failure: it says that it worked, and the result is another one: $(diff -r r "../whole-$name" | head -n 3 | tr '\n' ' ')" ;;
    4)
      if ! one_sentence said; then
        echo "failure: not one sentence: $(head -c 400 said)"
      elif [ -e r ]; then
        echo "failure: exit code 4, and there is something: $(ls -A r)"
      elif [ "$3" != lost ] && ! grep -qx 'held 0' places; then
        echo "failure: exit code 4, and of the device it $(tail -n 1 places)"
      else
        echo "refused after $3 $2: $(cat said)"
      fi
      ;;
    *) echo "failure: exit code $code: $(head -c 400 said)" ;;
  esac | sed "s/^failure/failure: $name, call $1 ($2), $3/"
  cd .. && rm -rf "$1-$3"
}

for name in "${names[@]}"; do
  outcomes=${OUT:-.}/outcomes-$name
  : >"$outcomes"
  command=("$program" ${commands[$name]} --backend gpu --quiet --out r)
  FAULT_COUNT=places "${command[@]}" >/dev/null && mv r "whole-$name" || exit 1
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
