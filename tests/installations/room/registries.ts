/**
 * A room's way to the package registries: the same as this machine's. With plain internet none of this is needed, and
 * nothing is set.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { aptProxies } from "./bare-system.ts";

/** On this machine and on every Debian. */
const AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";
/** The folder that `update-ca-certificates` reads. */
export const OWN_AUTHORITIES = "/usr/local/share/ca-certificates";
const PUBLIC_NPM = "https://registry.npmjs.org/";
/** Only these of npm's variables: others that npm sets for its scripts name folders of this machine. */
const WAYS =
  /^(?:https?_proxy|no_proxy|npm_config_(?:https?_proxy|proxy|noproxy|strict_ssl)|GOPROXY|GOSUMDB|GONOSUMDB|PIP_INDEX_URL)$/i;

/** Variables of everyone's terminal. */
export async function registrySettings(): Promise<{ [name: string]: string }> {
  const known = Object.entries(process.env).flatMap(([name, value]) =>
    WAYS.test(name) && value ? [[name, value] as const] : [],
  );
  const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"], { cwd: homedir() });
  const npm = stdout.trim();
  return {
    ...Object.fromEntries(known),
    ...(npm !== PUBLIC_NPM && { npm_config_registry: npm }),
    // Node.js has its own authorities, not the room's.
    NODE_EXTRA_CA_CERTS: AUTHORITIES,
  };
}

/** Files of a room by path. @param bare the system that it is made of */
export async function registryFiles(bare: string): Promise<{ [path: string]: string }> {
  const files: { [path: string]: string } = {};
  const proxies = await aptProxies();
  if (proxies.length > 0) files["/etc/apt/apt.conf.d/90proxy"] = `${proxies.join("\n")}\n`;
  const known = new Set(certificates(join(bare, AUTHORITIES)));
  certificates(AUTHORITIES)
    .filter((each) => !known.has(each))
    .forEach((each, index) => (files[join(OWN_AUTHORITIES, `machine-${index}.crt`)] = `${each}\n`));
  return files;
}

function certificates(file: string): string[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)].map(
    ([certificate]) => certificate,
  );
}
