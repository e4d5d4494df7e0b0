/** An operator's own authority, the server's certificate from it, and a machine's trust in it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OWN_AUTHORITIES } from "./registries.ts";
import type { Room } from "./room.ts";

/** All in PEM. */
export interface Certificates {
  authority: string;
  /** Signed by the authority. */
  certificate: string;
  key: string;
}

const CURVE = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc"];

export function makeCertificates(host: string): Certificates {
  const folder = mkdtempSync(join(tmpdir(), "authority-"));
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  try {
    const authority = ["-subj", "/CN=Acme's machines", "-days", "2"];
    openssl("req", "-x509", ...CURVE, ...authority, "-keyout", "ca.key", "-out", "ca.pem");
    openssl("req", ...CURVE, "-subj", `/CN=${host}`, "-keyout", "key.pem", "-out", "asked.pem");
    writeFileSync(join(folder, "names"), `subjectAltName=DNS:${host}\nextendedKeyUsage=serverAuth\n`);
    const by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"];
    openssl("x509", "-req", "-in", "asked.pem", ...by, "-out", "cert.pem");
    return { authority: read("ca.pem"), certificate: read("cert.pem"), key: read("key.pem") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Done by an operator on every machine of the company. */
export async function trust(room: Room, { authority }: Certificates): Promise<void> {
  room.write(join(OWN_AUTHORITIES, "acme.crt"), authority);
  await room.run("update-ca-certificates");
}
