#!/usr/bin/env bash
# Runs once, when the data folder of the first server is created. Allows the other server to copy and follow it.
echo 'host replication all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
