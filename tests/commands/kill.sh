#!/bin/bash
# Stops a run after each of its progress lines in turn, with SIGINT, SIGHUP and SIGKILL: kill.sh FOLDER-OF-sulcus-cli
# Either there are no results, or all of them are complete. If SULCUS_TEST_BRIEFLY is set, after every tenth line.
set -u
export PATH="$(realpath "$1"):$PATH"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
sulcus-cli phantom fibers --out p --quiet >/dev/null || exit 1
sulcus-cli fibers --dwi p/dwi.nii.gz --out whole --json >/dev/null 2>lines || exit 1
total=$(wc -l <lines)
[ "$total" -ge 8 ] || { echo "only $total progress lines: nothing to stop after"; exit 1; }

check() {
  [ -e stopped ] || return 0
  for map in peaks amplitude count anisotropy residual iterations; do
    cmp "whole/$map.nii.gz" "stopped/$map.nii.gz" || { echo "a partial result after line $1 ($2)"; exit 1; }
  done
  [ -s stopped/provenance.json ] || { echo "results without provenance after line $1 ($2)"; exit 1; }
}

interrupted=0 step=${SULCUS_TEST_BRIEFLY:+10}
step=${step:-1}
for signal in INT HUP KILL; do
  for ((line = 1; line <= total; line += step)); do
    rm -rf stopped
    exec {progress}< <(exec sulcus-cli fibers --dwi p/dwi.nii.gz --out stopped --json 2>&1 >/dev/null)
    run=$!
    for ((i = 0; i < line; ++i)); do IFS= read -r -u "$progress" text || break; done
    kill -s "$signal" "$run" 2>/dev/null
    wait "$run"
    code=$?
    exec {progress}<&-
    check "$line" "$signal"
    case $signal,$code in
      INT,130 | HUP,130)
        interrupted=$((interrupted + 1))
        [ ! -e stopped ] || { echo "interrupted, but there are results"; exit 1; }
        ! compgen -G '.part-*' >/dev/null || { echo "a temporary folder was left behind"; exit 1; } ;;
      INT,0 | HUP,0 | KILL,0 | KILL,137) ;;
      *) echo "exit code $code after $signal at line $line"; exit 1 ;;
    esac
  done
done
[ "$interrupted" -gt 0 ] || { echo "no run was ever interrupted"; exit 1; }
echo "stopped after each of $total progress lines; $interrupted runs interrupted, no partial result"
