# To be sourced after own_folder.sh: an sshd on the loopback interface with its own keys, port and home, and an ssh that knows it as
# "server". `far_environment` may contain more variables for remote commands. Ends the test with exit code 77 if none starts. `same A B`
# compares the results of two runs.
sshd=$(command -v sshd) || { echo "skipped: sshd is not installed (openssh-server)"; exit 77; }
real_ssh=$(command -v ssh) || { echo "skipped: ssh is not installed (openssh-client)"; exit 77; }
ssh_port=$((10000 + $$ % 10000)) far=$folder/far
mkdir -p bin farbin "$far" && ln -s "$programs/sulcus-cli" farbin/ && chmod 700 "$folder" "$far"
ssh-keygen -q -t ed25519 -N "" -f host_key && ssh-keygen -q -t ed25519 -N "" -f key && ssh-keygen -q -t ed25519 -N "" -f other_key
cp key.pub authorized
cat > sshd_config << END
Port $ssh_port
ListenAddress 127.0.0.1
HostKey $folder/host_key
PidFile $folder/sshd.pid
AuthorizedKeysFile $folder/authorized
StrictModes no
UsePAM no
PasswordAuthentication no
SetEnv HOME=$far PATH=$folder/farbin:/usr/bin:/bin XDG_CACHE_HOME=$far/cache ${far_environment:-}
END
mkdir -p /run/sshd 2> /dev/null
stop_sshd() { [ -s "$folder/sshd.pid" ] && kill "$(cat "$folder/sshd.pid")" 2> /dev/null; }
at_end+=(stop_sshd)
"$sshd" -f "$folder/sshd_config" -E "$folder/sshd.log" || { echo "skipped: sshd does not start: $(tail -n 1 sshd.log)"; exit 77; }
echo "[127.0.0.1]:$ssh_port $(cut -d ' ' -f 1,2 host_key.pub)" > known
echo "[127.0.0.1]:$ssh_port $(cut -d ' ' -f 1,2 other_key.pub)" > known_changed
: > known_none
server() {  # NAME KEY KNOWN [PORT]
  printf 'Host %s\nHostName 127.0.0.1\nPort %s\nUser %s\nIdentityFile %s\nIdentitiesOnly yes\nUserKnownHostsFile %s\nGlobalKnownHostsFile /dev/null\n' \
    "$1" "${4:-$ssh_port}" "$(id -un)" "$folder/$2" "$folder/$3"
}
{ server server key known; server refusing other_key known; server changed key known_changed; server unknown key known_none
  server gone key known 1; } > ssh_config
printf '#!/bin/sh\necho $$ >> %s/ssh.pids\nexec %s -F %s/ssh_config "$@"\n' "$folder" "$real_ssh" "$folder" > bin/ssh
chmod 755 bin/ssh
PATH="$folder/bin:$PATH"
for ((i = 0; i < 50; ++i)); do ssh server true 2> first.err && break; sleep 0.1; done
ssh server true 2> first.err || { echo "skipped: no connection to an sshd of one's own: $(tail -n 1 first.err)"; exit 77; }

same() {  # A B: everything except times and places
  local file
  (cd "$1" && find . -type f | sort) > a.txt
  (cd "$2" && find . -type f | sort) > b.txt
  cmp -s a.txt b.txt || { diff a.txt b.txt; fail "$2 has other files than $1"; }
  while read -r file; do
    case $file in
      *.json) cmp -s <(without_times "$1/$file") <(without_times "$2/$file") ||
        { diff <(without_times "$1/$file") <(without_times "$2/$file") | head; fail "$file is another one"; } ;;
      *) cmp -s "$1/$file" "$2/$file" || fail "$file is another one" ;;
    esac
  done < a.txt
}
without_times() {
  python3 - "$1" << 'END'
import json, sys
def plain(value):
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if k not in ("Created", "CommandLine", "Stages", "StageSeconds", "WaitSeconds", "RunSeconds", "GpuSeconds", "Seconds")}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value.replace(", at server", "") if isinstance(value, str) else value
print(json.dumps(plain(json.load(open(sys.argv[1]))), indent=1))
END
}
