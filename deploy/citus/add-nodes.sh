#!/bin/sh
# Joins the nodes of compose.yaml to one cluster; may run again. Connection settings come from PGHOST, PGUSER, PGPASSWORD.
set -eu

authinfo="insert into pg_dist_authinfo (nodeid, rolename, authinfo)
  values (0, '$PGUSER', 'password=$PGPASSWORD')
  on conflict (nodeid, rolename) do update set authinfo = excluded.authinfo"

for node in database citus-worker-1 citus-worker-2; do
  psql -v ON_ERROR_STOP=1 -h "$node" -c 'create extension if not exists citus' -c "$authinfo"
done

psql -v ON_ERROR_STOP=1 \
  -c "select citus_set_coordinator_host('database', 5432)" \
  -c "select citus_add_node('citus-worker-1', 5432)" \
  -c "select citus_add_node('citus-worker-2', 5432)"
