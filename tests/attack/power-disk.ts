/** A real file system whose power can be cut: data that no process has asked to write by then is gone. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const DISK_BYTES = 768 * 1024 * 1024;
/**
 * Nothing is written before a process asks for it: not after so many seconds, not the content of a file before its
 * name, not a file that replaces another.
 */
const OPTIONS = "loop,commit=3600,data=writeback,noauto_da_alloc";
/** `EXT4_IOC_SHUTDOWN`, with the journal as it is on the disk. */
const CUT =
  'open(my $f, "<", $ARGV[0]) or die $!; my $how = pack("L", 2); ioctl($f, 0x8004587d, $how) or die $!';

export interface PowerDisk {
  dataDir: string;
  /** Cuts the power and restores it. No process may use the disk. @throws Error */
  cut: () => void;
  close: () => void;
}

/** @returns null where an image of a disk cannot be mounted */
export function openPowerDisk(): PowerDisk | null {
  const folder = mkdtempSync(join(tmpdir(), "millrace-power-"));
  const mounted = join(folder, "disk");
  let [image, copies] = [join(folder, "image"), 0];
  const mount = () => spawnSync("mount", ["-o", OPTIONS, image, mounted]).status === 0;
  /**
   * Anything that starts on this machine meanwhile in its own mount namespace keeps the cut file system: the same image
   * would be the same file system, without power forever.
   */
  const copy = () => {
    const [former, next] = [image, join(folder, `image-${(copies += 1)}`)];
    const isDone = spawnSync("cp", ["--sparse=always", former, next]).status === 0;
    rmSync(former);
    image = next;
    return isDone;
  };
  const remove = () => rmSync(folder, { recursive: true, force: true });
  mkdirSync(mounted);
  writeFileSync(image, "");
  truncateSync(image, DISK_BYTES);
  if (spawnSync("mkfs.ext4", ["-q", "-m", "0", image]).status !== 0 || !mount()) {
    remove();
    return null;
  }
  const demand = (done: boolean, what: string) => {
    if (!done) throw new Error(`${what} of ${mounted} has failed.`);
  };
  return {
    dataDir: join(mounted, "data"),
    cut() {
      demand(spawnSync("perl", ["-e", CUT, mounted]).status === 0, "The cut");
      demand(spawnSync("umount", [mounted]).status === 0, "The unmount");
      demand(copy(), "The copy");
      demand(mount(), "The mount");
    },
    close() {
      spawnSync("umount", ["--lazy", mounted]);
      remove();
    },
  };
}
