#!/bin/bash
# Kills runs at random moments (SIGKILL): kill_random.sh FOLDER-OF-sulcus-cli [TIMES [COMMAND…]]. Runs each of the commands (or those named)
# this many times, default 10; every second run replaces a result. Afterwards there is nothing, the complete old result or the complete new
# one, and the next run removes the remains of the killed ones.
set -u
. "$(dirname "$0")/runs.sh"
export PATH="$(realpath "$1"):$PATH"
times=${2:-10}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
phantoms || exit 1
names=("${@:3}")
[ ${#names[@]} -gt 0 ] || names=(phantom fibers activation registration surface)

fail() {
  echo "$name, kill $i after $moment s: $1"
  find r -exec ls -ld {} +
  exit 1
}

for name in "${names[@]}"; do
  command=(sulcus-cli ${commands[$name]} --quiet --out r --overwrite)
  rm -rf r first old new && "${command[@]}" >/dev/null && mv r first && cp -a first old && echo mine >old/theirs.txt || exit 1
  started=$(date +%s%N)
  rm -rf r && cp -a old r && "${command[@]}" >/dev/null && mv r new || exit 1  # keeps theirs.txt
  lasts=$((($(date +%s%N) - started) / 1000000 * 6 / 5)) killed=0 whole=0
  for ((i = 1; i <= times; ++i)); do
    rm -rf r
    [ $((i % 2)) = 0 ] || cp -a old r
    "${command[@]}" >/dev/null 2>&1 &
    run=$!
    moment=$((RANDOM % lasts))
    moment=$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))
    sleep "$moment"
    kill -KILL $run 2>/dev/null && killed=$((killed + 1))
    wait $run 2>/dev/null
    if [ -e r ]; then
      same r old || same r new || same r first || fail 'there is half a result'
      whole=$((whole + 1))
    else
      [ $((i % 2)) = 0 ] || fail 'the old result is gone'
    fi
    if [ $((i % 50)) = 0 ] || [ "$i" = "$times" ]; then
      "${command[@]}" >/dev/null 2>&1 && [ -z "$(find . -name '.part-*' -print -quit)" ] || fail 'the next run does not clear up'
    fi
  done
  echo "$name: $killed of $times runs killed within $lasts ms, $whole with a result, none with half of one"
done
