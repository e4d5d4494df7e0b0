import { createHash } from "node:crypto";
import { root } from "#server/build-folders.ts";
import type { Commit } from "./read-commit.ts";
import { runProgram } from "./run-program.ts";

interface Bom {
  serialNumber: string;
  metadata: { timestamp: string; component: object };
  components: object[];
}

/**
 * Every package of package-lock.json as CycloneDX: those that a server loads are `required`, those that the build puts into
 * pages and the CLI, or uses itself, are marked as development.
 * @returns JSON. npm gives each list a random number and the time of day; here both come from the commit.
 */
export async function listPackages({ id, time }: Commit): Promise<string> {
  const args = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only"];
  const bom = JSON.parse(await runProgram("npm", args, { cwd: root })) as Bom;
  const hex = createHash("sha256")
    .update(`${id} ${JSON.stringify(bom.components)}`)
    .digest("hex");
  bom.serialNumber = `urn:uuid:${toUuid(hex)}`;
  bom.metadata.timestamp = new Date(time * 1000).toISOString();
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** Version 8 of RFC 9562: bits of one's own. */
function toUuid(hex: string): string {
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-");
}
