/** Whether BuildKit considers a file of a client's folder unchanged. Times alone make no difference to it. */
import type { SeenFile } from "./types.ts";

/** Go's bits for anything but a regular file. */
const TYPE_BITS = 0x8f28_0000;
const DIRECTORY_BIT = 0x8000_0000;
const PERMISSIONS = 0o777;

const hasBits = (mode: number, bits: number) => (mode & bits) !== 0;
export const isDirectory = ({ mode }: SeenFile): boolean => hasBits(mode, DIRECTORY_BIT);

/** `unknown`: only the time differs, and the content was not seen both times. */
export function compareFile(before: SeenFile, after: SeenFile): "same" | "changed" | "unknown" {
  if (before.mode !== after.mode || before.link !== after.link) return "changed";
  if (hasBits(after.mode, TYPE_BITS)) return "same";
  if (before.size !== after.size) return "changed";
  if (before.digest !== null && after.digest !== null)
    return before.digest === after.digest ? "same" : "changed";
  // A builder requests the content of each file whose time differs from its own copy.
  return before.modifiedAt === after.modifiedAt ? "same" : "unknown";
}

const describeMode = ({ mode }: SeenFile) => `mode ${(mode & PERMISSIONS).toString(8).padStart(4, "0")}`;
const describeSize = ({ size }: SeenFile) => `${size} ${size === 1 ? "byte" : "bytes"}`;
const describeContent = (file: SeenFile) => `${describeSize(file)}, sum ${file.digest ?? "unknown"}`;

/** The difference, before and after, in a few words each; "" for a missing file. */
export function describeChange(before: SeenFile | undefined, after: SeenFile | undefined): [string, string] {
  const one = before ?? after;
  const describe = (file: SeenFile) => {
    if (!before || !after || !one) return isDirectory(file) ? describeMode(file) : describeSize(file);
    if ((before.mode & PERMISSIONS) !== (after.mode & PERMISSIONS)) return describeMode(file);
    if (before.link !== after.link) return `link to ${file.link}`;
    return before.size === after.size ? describeContent(file) : describeSize(file);
  };
  return [before ? describe(before) : "", after ? describe(after) : ""];
}
