/** A proxy with a certificate of its own in front of the registry, as an operator has one. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

export interface TlsFront {
  /** `localhost:4711` */
  host: string;
  /** The certificate's file, for clients that shall trust it. */
  certificate: string;
  close: () => Promise<void>;
}

/** @param folder for the certificate and its key */
export async function startTlsFront(url: string, folder: string): Promise<TlsFront> {
  const [certificate, key] = [join(folder, "front.crt"), join(folder, "front.key")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const made = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    "-keyout",
    key,
    "-out",
    certificate,
  ];
  execFileSync("openssl", [...made, ...subject], { stdio: "ignore" });
  const server = createServer(
    { cert: readFileSync(certificate), key: readFileSync(key) },
    (asked, answer) => {
      const { method = "GET", headers } = asked;
      const passed = request(new URL(asked.url ?? "/", url), { method, headers });
      passed
        .once("error", () => answer.destroy())
        .once("response", (from) => {
          answer.writeHead(from.statusCode ?? 502, from.headers);
          from.pipe(answer);
        });
      asked.pipe(passed);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A port of TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    host: `localhost:${port}`,
    certificate,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
