import type { Message } from "@bufbuild/protobuf";
import { Refused } from "#accounts/index.ts";

/**
 * A text in PostgreSQL cannot contain the character NUL, so no stored object has it. This is one place for all methods, so
 * that none can forget it.
 * @throws Refused that names the field
 */
export function refuseNul(request: Message): void {
  const field = findNul(request);
  if (field !== null)
    throw new Refused("invalid_argument", `${field} has the character NUL, which is not allowed`, {
      field,
    });
}

/** @returns the name of the field, as the contract writes it; "" when it is in a list or a map */
function findNul(value: unknown): string | null {
  if (typeof value === "string") return value.includes("\0") ? "" : null;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return null;
  for (const [name, part] of Object.entries(value)) {
    if (name.includes("\0")) return "";
    const found = findNul(part);
    if (found !== null) return found || (Array.isArray(value) ? "" : toSnakeCase(name));
  }
  return null;
}

const toSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
