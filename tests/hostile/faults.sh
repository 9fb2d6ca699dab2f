#!/bin/bash
# Makes one system call fail in the middle of a run: faults.sh FOLDER-OF-sulcus-cli LIBRARY [MOMENTS [COMMAND…]]. LIBRARY is fault_at.cpp.
# Each of the commands (or those named), with each fault, at this many of its calls, default 6, evenly spread over the run; 0 for every
# call. A run either fails with one sentence and the correct exit code, and leaves existing files, or works.
set -u
. "$(dirname "$0")/runs.sh"
export PATH="$(realpath "$1"):$PATH"
library=$(realpath "$2")
moments=${3:-6}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0 runs=0 refused=0
phantoms || exit 1
names=("${@:4}")
[ ${#names[@]} -gt 0 ] || names=(phantom fibers activation registration surface)

fail() {
  echo "$name, $of, fault $fault, call $call of $total: $1"
  failures=$((failures + 1))
}

# once NAME OF FAULT CALL
once() {
  local code
  rm -rf r
  { FAULT_OF=$of FAULT_IS=$fault FAULT_AT=$call LD_PRELOAD=$library timeout 60 "${command[@]}" --out r >/dev/null 2>said; } 2>/dev/null
  code=$?
  runs=$((runs + 1))
  case $code in
    0)
      # A processor without a readable name is called CPU.
      [ "$of" != reads ] || sed -i "s|\"Device\": \"CPU, |\"Device\": \"$processor, |" r/*.json
      same r whole || fail "it says that it worked, and the result is another one: $(diff -rq --exclude='.part-*' r whole | head -n 5)" ;;
    3 | 4)
      refused=$((refused + 1))
      one_sentence said || fail "not one sentence: $(head -c 400 said)"
      [ ! -e r ] || [ -z "$(find r -type f ! -path '*/.part-*')" ] || fail "exit code $code, and there is something: $(find r -type f | head -n 5)"
      ;;
    *) fail "exit code $code: $(head -c 400 said)" ;;
  esac
  if [ -n "$(find . -name '.part-*' -print -quit)" ]; then  # files that could not be removed are removed by the next run
    rm -rf r/*
    "${command[@]}" --out r >/dev/null 2>said && same r whole && [ -z "$(find . -name '.part-*')" ] ||
      fail "the next run is not whole: $(head -c 300 said)"
  fi
}

for name in "${names[@]}"; do
  command=(sulcus-cli ${commands[$name]} --quiet)
  rm -rf whole r && "${command[@]}" --out r >/dev/null && mv r whole || exit 1
  processor=$(sed -n 's/^ *"Device": "\(.*\), [0-9]* threads\?",$/\1/p' whole/*.json | head -n 1)
  # EIO, ENOSPC, ENOMEM
  for kind in 'changes 5' 'changes 28' 'changes short' 'reads 5' 'reads short' 'memory 12'; do
    read -r of fault <<<"$kind"
    before=$refused
    rm -rf r
    FAULT_OF=$of FAULT_COUNT=count LD_PRELOAD=$library "${command[@]}" --out r >/dev/null || exit 1
    total=$(cat count) tried=$((moments > 0 && moments < total ? moments : total))
    for ((i = 1; i <= tried; ++i)); do
      call=$((1 + (total - 1) * (i - 1) / (tried > 1 ? tried - 1 : 1)))
      once
    done
    echo "$name: $of, fault $fault: at $tried of $total calls, $((refused - before)) runs refused"
  done
done
echo "$runs runs, $refused refused, $failures failures"
[ "$failures" = 0 ]
