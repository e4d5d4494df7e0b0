#!/bin/sh
# The first process of a builder, in namespaces of its own for processes, mounts and the network. It prepares them, and
# becomes buildkitd. When it ends, however it ends, the kernel ends every step and removes every mount and interface.
#
#   start-builder.sh <folder with hosts and resolv.conf> <folders of control groups, or ""> buildkitd …
#
# Out: a line when the namespaces are there. In: a line when the interface `uplink` is there.
set -eu
files=$1 groups=$2

if [ -z "${MILLRACE_IN_GROUP:-}" ]; then
  # Where the machine runs out of memory, steps go first, and never the server.
  echo 500 >/proc/self/oom_score_adj
  # 0 is the process that writes it.
  for group in $groups; do echo 0 >"$group/cgroup.procs"; done
  # The group that it is in becomes the root, above which no one gets whatever group a build names.
  export MILLRACE_IN_GROUP=yes
  [ -z "$groups" ] || exec unshare --cgroup sh "$0" "$@"
fi
unset MILLRACE_IN_GROUP
shift 2
cat /proc/self/mountinfo >"$files/mounts"

cover() { umount "$1" 2>/dev/null || mount -t tmpfs tmpfs "$1"; }

for group in $groups; do
  echo 0 >"$group/daemon/cgroup.procs"
  # Version 2: hands its limits on, now that nothing runs in the group itself.
  [ ! -e "$group/cgroup.subtree_control" ] ||
    for each in $(cat "$group/cgroup.controllers"); do echo "+$each" >"$group/cgroup.subtree_control"; done
done
# The trees as they are seen from the new root. A line of the file: `… <place> rw,relatime - cgroup cgroup rw,cpu,cpuacct`.
# The old mount goes first: the kernel refuses the same tree on top of itself. Where mounts are those of another namespace of
# users they cannot go, and something else comes between.
[ -z "$groups" ] || while read -r _ _ _ _ place rest; do
  case $rest in
  *" - cgroup2 "*) cover "$place" && mount -t cgroup2 cgroup2 "$place" ;;
  *" - cgroup "*) controllers=${rest##* } && cover "$place" && mount -t cgroup -o "${controllers#r[wo],}" cgroup "$place" ;;
  esac
done <"$files/mounts"

# What plugins return is remembered there by name: by all builders of the machine, and forever.
mkdir -p /var/lib/cni 2>/dev/null || {
  echo "a server without root needs a folder that it cannot make: run mkdir /var/lib/cni as root" >&2
  exit 1
}
mount -t tmpfs tmpfs /var/lib/cni
# runc keeps what it knows of steps here, and would not remove what was killed. Without root it has the folder of
# XDG_RUNTIME_DIR, because no one but root makes this one.
[ -n "${XDG_RUNTIME_DIR:-}" ] || { mkdir -p /run/runc && mount -t tmpfs tmpfs /run/runc; }
mount --bind "$MILLRACE_TEMPORARY" "$TMPDIR"
unset MILLRACE_TEMPORARY
# Only seen in here. A machine without such a file has no place to put it; names are then looked up as Go does it.
for file in hosts resolv.conf; do
  [ ! -e "/etc/$file" ] || mount --bind "$files/$file" "/etc/$file"
done
ip link set lo up
echo ready
read -r _ || exit 1

# Routes packets of the steps, only with the step's own address, and answers for them at the uplink.
cd /proc/sys/net/ipv4
echo 1 >ip_forward
echo 1 >conf/all/rp_filter
echo 1 >conf/default/rp_filter
echo 1 >conf/uplink/proxy_arp
# What comes from the uplink or from this namespace has the main table; what comes from a step has table 100, where
# nothing leads to another step. Link-local addresses, at which clouds give away a machine's credentials, are in neither.
ip -batch - <<END
link set uplink mtu $MILLRACE_MTU up
address add 10.64.0.1/32 dev uplink
route add 10.64.0.2/31 dev uplink
route add default via 10.64.0.2
route add unreachable 169.254.0.0/16
rule add priority 10 iif uplink lookup main
rule add priority 11 iif lo lookup main
rule add priority 12 lookup 100
route add 10.64.0.2/31 dev uplink table 100
route add unreachable 10.64.0.0/16 table 100
route add unreachable 169.254.0.0/16 table 100
route add default via 10.64.0.2 dev uplink table 100
END
cd /
exec "$@"
