/** Builders without machines, for tests of layer caches. */
import type { Builders } from "../machine/machine.ts";

/** @public */
export const platform = "linux/amd64";
/** @public */
export const arm = "linux/arm64";

/** @public Bytes by platform. */
export type Cache = Record<string, number>;

interface Disk {
  caches?: Map<string, Cache>;
  /** Filled with the platforms of resets. */
  resets?: unknown[];
  /** The error of each reset. */
  error?: Error;
}

/** @public Builders that report the contents of an imaginary disk. */
export const disk = ({ caches = new Map(), resets = [], error }: Disk): Builders => ({
  open: async () => ({ socket: "/nowhere", ended: new Promise(() => {}), isNew: true, release() {} }),
  usage: async (projectId) =>
    Object.entries(caches.get(projectId) ?? {}).map(([of, bytes]) => ({ platform: of, bytes, layers: 1 })),
  async reset(projectId, only) {
    if (error) throw error;
    resets.push(only);
    const all = Object.entries(caches.get(projectId) ?? {});
    const [gone, left] = [
      all.filter(([of]) => only === undefined || of === only),
      all.filter(([of]) => only !== undefined && of !== only),
    ];
    caches.set(projectId, Object.fromEntries(left));
    return { freedBytes: gone.reduce((sum, [, bytes]) => sum + bytes, 0) };
  },
  projects: async () => [...caches.keys()],
  check: async () => [],
  machine: async () => null,
  platforms: () => [platform, arm, "plan9/mips"],
  close: async () => {},
});
