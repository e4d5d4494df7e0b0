/** What this machine can build: natively, and by the emulators that its kernel knows. */
import { readdirSync, readFileSync } from "node:fs";

const EMULATORS = "/proc/sys/fs/binfmt_misc";
/** As Node names processors. */
const NATIVE: Readonly<Record<string, readonly string[]>> = {
  x64: ["linux/amd64", "linux/386"],
  arm64: ["linux/arm64"],
  arm: ["linux/arm/v7"],
  ppc64: ["linux/ppc64le"],
  riscv64: ["linux/riscv64"],
  s390x: ["linux/s390x"],
};
/** As QEMU names them. */
const EMULATED: Readonly<Record<string, string>> = {
  "qemu-aarch64": "linux/arm64",
  "qemu-arm": "linux/arm/v7",
  "qemu-i386": "linux/386",
  "qemu-ppc64le": "linux/ppc64le",
  "qemu-riscv64": "linux/riscv64",
  "qemu-s390x": "linux/s390x",
  "qemu-x86_64": "linux/amd64",
};

/** Of any machine. */
export const KNOWN_PLATFORMS: readonly string[] = [
  ...new Set([...Object.values(NATIVE).flat(), ...Object.values(EMULATED)]),
];

/** @returns the machine's own first */
export function findPlatforms(arch: string = process.arch, folder: string = EMULATORS): string[] {
  const emulated = namesIn(folder).flatMap((name) => {
    const platform = EMULATED[name];
    return platform !== undefined && isEnabled(`${folder}/${name}`) ? [platform] : [];
  });
  return [...new Set([...(NATIVE[arch] ?? []), ...emulated.toSorted()])];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** With the flag F the kernel has opened the emulator already: it works where the file is not, as in a step. */
function isEnabled(path: string): boolean {
  try {
    const text = readFileSync(path, "utf8");
    return /^enabled$/m.test(text) && /^flags: \S*F/m.test(text);
  } catch {
    return false;
  }
}
