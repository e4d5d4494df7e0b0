#!/bin/sh
# The first process of a Docker engine in namespaces of its own: Debian's packages in a root file system, from which it sees
# nothing of the machine but its devices and control groups.
#
#   container-engine.sh <root file system> <folder on a disk> <folder that containers may mount, seen at /mnt/share>
#
# Out: a line when the namespaces are there. In: a line when its network is there.
set -eu
root=$1 data=$2 share=$3
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup"
mount --rbind /dev "$root/dev"
# Everyone may open it where udev is; a machine of tests may have none.
if [ -e /dev/net/tun ]; then
  mount -t tmpfs tmpfs "$root/dev/net"
  mknod -m 666 "$root/dev/net/tun" c 10 200
fi
for each in run tmp; do mount -t tmpfs tmpfs "$root/$each"; done
mkdir -p "$root/var/lib/docker" "$root/mnt/share" "$root/mnt/old"
mount --bind "$data" "$root/var/lib/docker"
mount --bind "$share" "$root/mnt/share"
ip link set lo up
cd "$root"
# Not chroot: the kernel refuses user namespaces below one.
pivot_root . mnt/old
umount -l /mnt/old
# Of slirp4netns.
echo nameserver 10.0.2.3 >/etc/resolv.conf
echo ready
read -r _ || exit 1
exec dockerd --exec-opt native.cgroupdriver=cgroupfs --cgroup-parent="$4"
