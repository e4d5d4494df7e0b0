/** Platforms that this machine can build: natively, and with the emulators that its kernel knows. */
import { readdirSync, readFileSync } from "node:fs";

const EMULATORS = "/proc/sys/fs/binfmt_misc";
/** By Node's names of processors. */
const NATIVE: Readonly<Record<string, readonly string[]>> = {
  x64: ["linux/amd64", "linux/386"],
  arm64: ["linux/arm64"],
  arm: ["linux/arm/v7"],
  ppc64: ["linux/ppc64le"],
  riscv64: ["linux/riscv64"],
  s390x: ["linux/s390x"],
};
/** By QEMU's names of processors. */
const EMULATED: Readonly<Record<string, string>> = {
  "qemu-aarch64": "linux/arm64",
  "qemu-arm": "linux/arm/v7",
  "qemu-i386": "linux/386",
  "qemu-ppc64le": "linux/ppc64le",
  "qemu-riscv64": "linux/riscv64",
  "qemu-s390x": "linux/s390x",
  "qemu-x86_64": "linux/amd64",
};

/** Platforms of any machine. */
export const KNOWN_PLATFORMS: readonly string[] = [
  ...new Set([...Object.values(NATIVE).flat(), ...Object.values(EMULATED)]),
];

/** @returns the machine's native platforms first */
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

/** With the flag F, the kernel has already opened the emulator: it works even where its file is missing, as in a step. */
function isEnabled(path: string): boolean {
  try {
    const text = readFileSync(path, "utf8");
    return /^enabled$/m.test(text) && /^flags: \S*F/m.test(text);
  } catch {
    return false;
  }
}
