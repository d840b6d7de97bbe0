"""subreaper.py COMMAND...

Runs COMMAND and adopts the processes that it leaves behind: Patroni starts PostgreSQL as a daemon, which would become a
child of init and outlive a test. Passes SIGTERM on to COMMAND and ends when the last process has, with COMMAND's exit code.
"""
import ctypes
import os
import signal
import sys

PR_SET_CHILD_SUBREAPER = 36  # see prctl(2)

ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
command = os.fork()
if command == 0:
    os.execvp(sys.argv[1], sys.argv[1:])

code = None


def end(signal_number, frame):
    if code is None:
        os.kill(command, signal_number)


signal.signal(signal.SIGTERM, end)
while True:
    try:
        pid, status = os.wait()
    except ChildProcessError:
        sys.exit(code)
    if pid == command:
        code = os.waitstatus_to_exitcode(status) % 256
