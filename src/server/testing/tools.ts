/** For tests: programs that talk to the server, like an operator's. */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** @throws Error that says which program the tests need */
function explain(program: string): (error: unknown) => never {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new Error(`These tests need the program ${program}: install it (apt-get install ${program}).`);
    throw error;
  };
}

export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

/** A self-signed certificate for localhost and its key; valid for two days. */
export function makeCertificate(): CertificateFiles {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  const certFile = join(folder, "cert.pem");
  const keyFile = join(folder, "key.pem");
  const key = "-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes".split(" ");
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const files = ["-keyout", keyFile, "-out", certFile, "-days", "2"];
  try {
    execFileSync("openssl", ["req", ...key, ...files, ...subject], { stdio: "pipe" });
  } catch (error) {
    explain("openssl")(error);
  }
  return { certFile, keyFile };
}

/** Runs curl. @returns its output: a body, and the values of `--write-out` */
export async function curl(...options: string[]): Promise<string> {
  const { stdout } = await run("curl", ["--silent", "--show-error", "--max-time", "20", ...options]).catch(
    explain("curl"),
  );
  return stdout;
}
