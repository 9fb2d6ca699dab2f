#!/bin/bash
# Runs the command lines of one case file in an empty folder: run.sh FILE FOLDER-OF-sulcus-cli
#
# A case is one line:
#   EXIT-CODE :: COMMAND [:: out TEXT]... [:: err TEXT]...
# bash runs COMMAND; TEXT must occur in its standard output or standard error, "no out TEXT" and "no err TEXT" must not. Lines that start
# with # describe the following ones. "needs data" in the first line: the cases use real scans in $DATA and are skipped (exit code 77) if
# there are none.
set -u
cases=$(realpath "$1")
export PATH="$(realpath "$2"):$PATH"
root=$(realpath "$(dirname "$0")/../..")
# Scripts that make the files of cases.
export MAKE="$root/tests/commands"
export DATA="${SULCUS_TEST_DATA:-$root/../shared/data}"
if head -n 1 "$cases" | grep -q 'needs data' && [ ! -d "$DATA" ]; then
  echo "skipped: no real scans in $DATA (SULCUS_TEST_DATA says where they are)"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
printed=$folder.out complained=$folder.err
trap 'rm -rf "$folder" "$printed" "$complained"' EXIT

failures=0 count=0 number=0
fail() {
  failures=$((failures + 1))
  printf '%s:%d: %s\n  %s\n' "$(basename "$cases")" "$number" "$1" "$command"
  sed 's/^/  out: /' "$printed"
  sed 's/^/  err: /' "$complained"
}

while IFS= read -r line || [ -n "$line" ]; do
  number=$((number + 1))
  case $line in '' | '#'*) continue ;; esac
  count=$((count + 1))
  wanted=${line%% *}
  rest=${line#*:: }
  command=${rest%% :: *}
  bash -c "$command" >"$printed" 2>"$complained" </dev/null
  code=$?
  [ "$code" = "$wanted" ] || fail "exit code $code instead of $wanted"
  while [[ $rest == *' :: '* ]]; do
    rest=${rest#* :: }
    check=${rest%% :: *}
    case $check in
      'out '*) grep -qF -- "${check#out }" "$printed" || fail "standard output lacks '${check#out }'" ;;
      'err '*) grep -qF -- "${check#err }" "$complained" || fail "standard error lacks '${check#err }'" ;;
      'no out '*) ! grep -qF -- "${check#no out }" "$printed" || fail "standard output has '${check#no out }'" ;;
      'no err '*) ! grep -qF -- "${check#no err }" "$complained" || fail "standard error has '${check#no err }'" ;;
      *) fail "the case says '$check', which is no check" ;;
    esac
  done
done <"$cases"
echo "$count command lines, $failures failures"
[ "$count" -gt 0 ] && [ "$failures" = 0 ]
