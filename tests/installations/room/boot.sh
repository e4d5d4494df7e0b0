#!/bin/sh
# Lays a room's own files over the bare system and starts systemd in it as a machine would. Runs in namespaces of its own, so
# that everything it mounts goes when they do.
#   boot.sh <bare system> <folder of the room>
set -eu
bare=$1 room=$2
mount --make-rprivate /
# Thrown away in the end, so that nothing has to reach the disk.
mount -t overlay overlay -o "lowerdir=$bare,upperdir=$room/upper,workdir=$room/work,volatile" "$room/root"
# Builders lay layers over each other, which no overlay can bear below it.
for each in home opt root srv var; do mount --bind "$room/$each" "$room/root/$each"; done
cd "$room/root"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
mkdir dev/pts dev/shm dev/net
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
for each in null zero full random urandom tty; do
  [ -e "/dev/$each" ] || continue
  touch "dev/$each"
  mount --bind "/dev/$each" "dev/$each"
done
# Everyone may open these where udev is, and there is none here.
for each in fuse:229 net/tun:200; do
  [ -e "/dev/${each%:*}" ] && mknod -m 666 "dev/${each%:*}" c 10 "${each#*:}"
done
ln -s /proc/self/fd dev/fd
for each in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${each%%:*}" "dev/${each#*:}"; done
mount -t tmpfs -o mode=755 tmpfs run
for each in "$room"/given/*; do
  [ -e "$each" ] || continue
  mkdir -p "mnt/$(basename "$each")"
  mount --bind -o ro "$(readlink -f "$each")" "mnt/$(basename "$each")"
done
mkdir -p run/before
pivot_root . run/before
umount -l run/before
rmdir run/before
exec env -i container=millrace PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --log-target=journal --show-status=false
