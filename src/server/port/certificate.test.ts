/**
 * 1. With missing, non-PEM, broken, swapped or mismatched files, the start says which one is wrong and what
 *    to do.
 * 2. New connections get a renewed certificate without a restart; open ones stay. A half-finished renewal
 *    changes nothing and is reported once.
 * 3. An expired or not yet valid certificate is reported, but used: the clients' clocks decide. So is a certificate that was
 *    renewed while this clock was wrong.
 * 4. One file may hold the certificate, its chain and the key; it is renewed in one move.
 */
import { copyFileSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { openCertificate } from "./certificate.ts";
import { ProtocolServer } from "./protocols.ts";
import { makeCertificate } from "../testing/tools.ts";

const HOUR_MS = 3_600_000;
const YEARS_MS = 10 * 365 * 24 * HOUR_MS;
const cleanUps: (() => void)[] = [];
afterEach(() => cleanUps.splice(0).forEach((cleanUp) => cleanUp()));

const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

test("1. wrong files", () => {
  const [one, other] = [makeCertificate(), makeCertificate()];
  const { certFile, keyFile } = one;
  const open = (files: Partial<typeof one>) => () => openCertificate({ ...one, ...files, log: () => {} });
  expect(open({ certFile: "/nowhere/cert.pem" })).toThrow(
    "TLS_CERT /nowhere/cert.pem cannot be read (ENOENT): set it to the path of a PEM file that this user can read.",
  );
  expect(open({ keyFile: "/nowhere/key.pem" })).toThrow(
    /^TLS_KEY \/nowhere\/key\.pem cannot be read \(ENOENT\)/,
  );
  expect(open({ keyFile: "/" })).toThrow(/^TLS_KEY \/ cannot be read \(EISDIR\)/);
  expect(open({ certFile: keyFile })).toThrow(/^TLS_CERT .* is not a PEM file with a certificate/);
  expect(open({ keyFile: other.certFile })).toThrow(/^TLS_KEY .* is not a PEM file with a private key/);
  expect(open({ keyFile: other.keyFile })).toThrow(/cannot be used together \(.*mismatch.*\): use the key/);
  expect(open({ keyFile: certFile })).toThrow(/^TLS_CERT .* has no private key: add the key to that file/);
  writeFileSync(certFile, broken);
  expect(open({})).toThrow(/cannot be used together/);
});

test("2. renewal", async () => {
  const files = makeCertificate();
  const renewed = makeCertificate();
  const lines: string[] = [];
  const certificate = openCertificate({ ...files, log: (line) => lines.push(line) });
  const server = new ProtocolServer({ certificate });
  server.http1.on("request", (_request, response) => response.end("home"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUps.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const { port } = server.address() as AddressInfo;
  const enter = async (): Promise<TLSSocket> => {
    const socket = connect({ port, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    cleanUps.push(() => socket.destroy());
    return socket;
  };
  const before = await enter();
  const first = before.getPeerCertificate().fingerprint256;
  certificate.check();
  expect(lines).toEqual([]);

  copyFileSync(renewed.certFile, files.certFile);
  certificate.check();
  certificate.check();
  expect(lines).toEqual([
    expect.stringMatching(/^The previous TLS certificate stays in use\. TLS_CERT .*together/),
  ]);
  expect((await enter()).getPeerCertificate().fingerprint256).toBe(first);
  copyFileSync(renewed.keyFile, files.keyFile);
  certificate.check();
  expect(lines[1]).toBe("The TLS certificate was renewed: new connections use it.");
  const after = await enter();
  expect(after.getPeerCertificate().fingerprint256).not.toBe(first);
  before.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const [answer] = await once(before, "data");
  expect(String(answer)).toContain("home");

  rmSync(files.keyFile);
  certificate.check();
  expect(lines[2]).toMatch(/stays in use\. TLS_KEY .* cannot be read \(ENOENT\)/);
  expect(certificate.current().key).toBe(readFileSync(renewed.keyFile, "utf8"));
});

test("3. expired", () => {
  const lines: string[] = [];
  const clock = () => Date.now() + 7 * 24 * 3_600_000;
  openCertificate({ ...makeCertificate(), clock, log: (line) => lines.push(line) }).close();
  expect(lines).toEqual([expect.stringMatching(/expired on \d{4}-\d\d-\d\d: clients will refuse it/)]);
});

test("3. a clock that is wrong", () => {
  const files = makeCertificate();
  const time = { shift: -HOUR_MS };
  const lines: string[] = [];
  const clock = () => Date.now() + time.shift;
  const certificate = openCertificate({ ...files, log: (line) => lines.push(line), clock });
  cleanUps.push(certificate.close);
  expect(lines).toEqual([expect.stringMatching(/is not valid before \d{4}-\d\d-\d\d: .*clock is wrong/)]);
  const says: [shift: number, said: RegExp][] = [
    [-HOUR_MS, /: new connections use it\. TLS_CERT \S+ is not valid before /],
    [YEARS_MS, /: new connections use it\. TLS_CERT \S+ expired on/],
    [0, /: new connections use it\.$/],
  ];
  for (const [at, [shift, said]] of says.entries()) {
    time.shift = shift;
    const renewed = makeCertificate();
    for (const file of ["certFile", "keyFile"] as const) {
      copyFileSync(renewed[file], files[file]);
      // As written under the wrong clock.
      utimesSync(files[file], clock() / 1000, clock() / 1000);
    }
    certificate.check();
    expect(lines[at + 1]).toMatch(said);
    expect(certificate.current().cert).toBe(readFileSync(renewed.certFile, "utf8"));
    certificate.check();
    expect(lines).toHaveLength(at + 2);
  }
});

test("4. one file", () => {
  const [files, renewed] = [makeCertificate(), makeCertificate()];
  const lines: string[] = [];
  const both = files.certFile;
  const key = readFileSync(files.keyFile, "utf8");
  for (const text of [`${readFileSync(both, "utf8")}${key}`, `${key}${readFileSync(both, "utf8")}`]) {
    writeFileSync(both, text);
    openCertificate({ certFile: both, keyFile: both, log: () => {} }).close();
  }
  const certificate = openCertificate({ certFile: both, keyFile: both, log: (line) => lines.push(line) });
  const text = readFileSync(renewed.certFile, "utf8") + readFileSync(renewed.keyFile, "utf8");
  writeFileSync(both, text);
  certificate.check();
  expect(certificate.current()).toEqual({ cert: text, key: text });
  expect(lines).toEqual(["The TLS certificate was renewed: new connections use it."]);
  certificate.close();
});
