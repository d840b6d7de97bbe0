#!/usr/bin/env bash
# Run once, when the first server's data are made: the other server may copy and follow it.
echo 'host replication all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
