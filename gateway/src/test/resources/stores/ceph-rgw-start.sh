#!/bin/bash
# A single-node Ceph (one monitor, one OSD in memory, no manager) with a radosgw in front, everything under one directory.
#
# usage: ceph-rgw-start.sh DIR RGW_PORT MON_PORT
#   DIR must not exist or be empty, and be short: unix sockets live under it. Prints "ready" when the gateway answers and
#   user AKTEST / SKTEST exists; runs until its stdin ends, then stops every daemon it started and removes DIR. A caller
#   that dies closes the pipe, so nothing is left behind. Run as root.
# needs: apt-get install --no-install-recommends ceph-mon ceph-osd radosgw ceph-common
set -u
dir=${1:?directory}; rgw_port=${2:?port of the S3 endpoint}; mon_port=${3:?port of the monitor}
mkdir -p "$dir"/{mon,osd,rgw,run}
cd "$dir" || exit 1
pids=()
stop() {
  local pid
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null; done
  for _ in $(seq 50); do
    local alive=0
    for pid in "${pids[@]}"; do kill -0 "$pid" 2>/dev/null && alive=1; done
    [ $alive = 0 ] && break
    sleep 0.1
  done
  for pid in "${pids[@]}"; do kill -9 "$pid" 2>/dev/null; done
  cd / && rm -rf "$dir"
}
trap stop EXIT
trap 'exit 1' TERM INT HUP
fail() {
  echo "ceph-rgw-start: $1" >&2
  tail -n 20 "$dir"/run/*.out "$dir"/run/*.log >&2 2>/dev/null
  exit 1
}
# in the background, logged, remembered; never holding our stdin open
daemon() {
  "$@" < /dev/null > "run/${1##*/}.out" 2>&1 &
  pids+=($!)
}

fsid=$(cat /proc/sys/kernel/random/uuid)
osd_uuid=$(cat /proc/sys/kernel/random/uuid)
cat > ceph.conf <<CONF
[global]
fsid = $fsid
mon_initial_members = a
mon_host = v2:127.0.0.1:$mon_port
ms_bind_msgr1 = false
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 8
osd_pool_default_pg_autoscale_mode = off
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
osd_crush_chooseleaf_type = 0
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_memory_target = 1073741824
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
run_dir = $dir/run
admin_socket = $dir/run/\$name.asok
log_file = $dir/run/\$name.log
keyring = $dir/keyring
mon_data = $dir/mon
osd_data = $dir/osd
rgw_data = $dir/rgw
[client.rgw.a]
rgw_frontends = beast endpoint=127.0.0.1:$rgw_port tcp_nodelay=1
rgw_thread_pool_size = 32
CONF
export CEPH_CONF=$dir/ceph.conf
{
  ceph-authtool --create-keyring keyring --gen-key -n mon. --cap mon 'allow *'
  ceph-authtool keyring --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *'
  ceph-authtool keyring --gen-key -n client.rgw.a --cap mon 'allow rw' --cap osd 'allow rwx'
  ceph-authtool keyring --gen-key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *'
  monmaptool --create --clobber --fsid "$fsid" --addv a "[v2:127.0.0.1:$mon_port]" monmap
  ceph-mon --mkfs -i a --monmap monmap --keyring keyring
} > run/setup.out 2>&1 || fail "the monitor could not be set up"

daemon ceph-mon -f -i a
for _ in $(seq 60); do timeout 5 ceph -s > /dev/null 2>&1 && break; sleep 0.2; done
ceph osd new "$osd_uuid" > /dev/null || fail "no OSD id"
ceph-osd -i 0 --mkfs --osd-uuid "$osd_uuid" --monmap monmap --no-mon-config > run/mkfs.out 2>&1 || fail "the OSD could not be set up"
ceph osd crush add osd.0 1.0 root=default host=localhost > /dev/null 2>&1 || fail "the OSD has no place in the map"
daemon ceph-osd -f -i 0
for _ in $(seq 100); do ceph osd stat 2> /dev/null | grep -q '1 up' && break; sleep 0.2; done
daemon radosgw -f -n client.rgw.a
for _ in $(seq 240); do curl -fs -o /dev/null "http://127.0.0.1:$rgw_port/" && break; sleep 0.25; done
timeout 60 radosgw-admin user create --uid=test --display-name=test --access-key=AKTEST --secret-key=SKTEST \
  > run/user.json 2> run/user.out || fail "the S3 user could not be made"
curl -fs -o /dev/null "http://127.0.0.1:$rgw_port/" || fail "radosgw does not answer on port $rgw_port"
echo ready
cat > /dev/null
