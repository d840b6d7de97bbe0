#!/bin/sh
# watchdog.sh LOG SIGNAL GRACE_SECONDS FOLDER COMMAND...
#
# Runs COMMAND, its output to LOG, and says its process id on standard output. When standard input
# ends, because the one who holds the other end closed it or is dead (kill -9 included), the watchdog
# ends COMMAND and all its children: SIGNAL, after GRACE_SECONDS SIGKILL; then it deletes FOLDER.
# When COMMAND ends by itself, so does the watchdog, with its exit code, and FOLDER stays.
trap '' HUP INT
log=$1 signal=$2 grace=$3 folder=$4
shift 4
exec 3<&0 </dev/null

"$@" >>"$log" 2>&1 3<&- &
server=$!
echo $server
exec >>"$log" 2>&1

# $server stays a valid id until the main part below has waited for it.
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

# A stopped process acts on a signal only when it continues; SIGKILL needs no such help, but a
# process that is stopped first starts no more children while they are being listed.
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
