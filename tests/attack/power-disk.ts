/**
 * A real file system whose power can be cut: what nobody has asked it to write by then is gone.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const DISK_BYTES = 768 * 1024 * 1024;
/**
 * Nothing is written before somebody asks for it: not after so many seconds, not the content of a file before its name, not a
 * file that replaces another one.
 */
const OPTIONS = "loop,commit=3600,data=writeback,noauto_da_alloc";
/** `EXT4_IOC_SHUTDOWN`, with the journal as it is on the disk. */
const CUT =
  'open(my $f, "<", $ARGV[0]) or die $!; my $how = pack("L", 2); ioctl($f, 0x8004587d, $how) or die $!';

export interface PowerDisk {
  dataDir: string;
  /** And comes back. No process may use it. @throws Error */
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
   * What else begins on this machine meanwhile, in a mount namespace of its own, keeps the file system that was cut: the same
   * image would be the same file system, without power for ever.
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
