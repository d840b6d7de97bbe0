#!/bin/sh
# watchdog.sh LOG SIGNAL GRACE_SECONDS FOLDER COMMAND...
#
# Runs COMMAND with its output appended to LOG, and prints its process id.
# Standard input ends when the process that holds its other end closes it or dies, even by kill -9.
# The watchdog then sends SIGNAL to COMMAND, sends SIGKILL to COMMAND and all its children after
# GRACE_SECONDS, and deletes FOLDER.
# If COMMAND ends first, the watchdog exits with its exit code and keeps FOLDER.
trap '' HUP INT
log=$1 signal=$2 grace=$3 folder=$4
shift 4
exec 3<&0 </dev/null

"$@" >>"$log" 2>&1 3<&- &
server=$!
echo $server
exec >>"$log" 2>&1

# The id $server stays valid until the main part below has waited for it.
running() { kill -0 $server 2>/dev/null; }

descendants() {
  for child in $(cat /proc/"$1"/task/*/children 2>/dev/null || pgrep -P "$1" 2>/dev/null); do
    echo "$child"
    descendants "$child"
  done
}

wait_tenths() {
  tenths=$1
  while running && [ "$tenths" -gt 0 ]; do
    sleep 0.1
    tenths=$((tenths - 1))
  done
}

# A stopped process handles SIGNAL only after SIGCONT. Before SIGKILL the process is stopped, so
# that it starts no more children while they are listed.
end_server() {
  kill -s "$signal" $server 2>/dev/null
  kill -s CONT $server $(descendants $server) 2>/dev/null
  wait_tenths $((grace * 10))
  running || return
  kill -s STOP $server
  kill -s KILL $(descendants $server) $server 2>/dev/null
  wait_tenths 100
}

(
  while read -r _ <&3; do :; done
  trap '' TERM
  end_server
  rm -rf "$folder"
) &
watch=$!

wait $server
code=$?
kill $watch 2>/dev/null
wait $watch 2>/dev/null
exit $code
