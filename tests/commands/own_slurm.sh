# To be sourced after own_folder.sh: munge and a Slurm of two nodes on one machine, with separate sockets, ports and keys. Makes $folder
# accessible to all. `start_slurm` starts it, `wait_for` waits for all jobs. Ends the test with exit code 77 if it is not installed.
stop_slurm() {
  local file i
  for file in slurmctld.pid slurmd-n1.pid slurmd-n2.pid munged.pid; do
    [ -s "$folder/$file" ] && kill "$(cat "$folder/$file")" 2> /dev/null
  done
  for ((i = 0; i < 100; ++i)); do
    ls "$folder"/slurm*.pid "$folder"/munged.pid > /dev/null 2>&1 || break
    sleep 0.1
  done
}
for program in slurmctld slurmd sbatch munged; do
  command -v "$program" > /dev/null || { echo "skipped: $program is not installed (slurm-wlm, munge)"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "skipped: a Slurm of its own needs root"; exit 77; }
host=$(hostname -s) port=$((20000 + 4 * ($$ % 3000)))
at_end+=(stop_slurm)
chmod 711 "$folder"
head -c 1024 /dev/urandom > munge.key && chmod 600 munge.key
munged --force --socket "$folder/munge.socket" --key-file "$folder/munge.key" --pid-file "$folder/munged.pid" \
  --log-file "$folder/munged.log" --seed-file "$folder/munge.seed" 2> munged.err || { cat munged.err; fail "munge does not start"; }
mkdir state spool-n1 spool-n2
cat > slurm.conf << END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
ReturnToService=2
MpiDefault=none
MailProg=/bin/true
GresTypes=gpu
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 RealMemory=4000 Gres=gpu:1
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 RealMemory=4000 Gres=gpu:1
PartitionName=all Nodes=n1,n2 Default=YES State=UP MaxTime=INFINITE
END
# Represents a GPU: Slurm gives it to one task at a time.
printf 'NodeName=n%d Name=gpu File=/dev/null\n' 1 2 > gres.conf
export SLURM_CONF=$folder/slurm.conf

start_slurm() {
  slurmctld -i 2>> slurmctld.log || fail "slurmctld does not start"
  slurmd -N n1 && slurmd -N n2 || fail "slurmd does not start"
  for ((i = 0; i < 100; ++i)); do
    [ "$(sinfo --noheader --format %T%D 2> /dev/null)" = idle2 ] && break
    sleep 0.2
  done
  sinfo --noheader | grep -q idle || fail "the nodes are not idle"
}
wait_for() {  # all jobs
  for ((i = 0; i < 1200; ++i)); do
    [ -z "$(squeue --noheader)" ] && return
    sleep 0.25
  done
  fail "the jobs do not end"
}
