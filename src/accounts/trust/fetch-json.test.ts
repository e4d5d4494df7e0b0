/**
 * 1. JSON of a private host that the operator named is read, also after redirects to the same host.
 * 2. Nothing else is connected to: no plain HTTP, no literal private address in any spelling, no host whose name has any
 *    private address, no redirect to one of these, no other scheme.
 * 3. A name is resolved once for each connection.
 * 4. A server that hangs, drips, sends too much, sends no JSON, fails or redirects forever costs a bounded time and memory,
 *    and the error says why.
 * 5. Over HTTPS the certificate must be trusted and have the host's name, which is not the address connected to.
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fetchJson, type FetchRules } from "./fetch-json.ts";
import { answerJson, startTestIssuer, type TestIssuer } from "../testing/issuer.ts";

let issuer: TestIssuer;
let rules: Omit<FetchRules, "deadline">;
beforeAll(async () => {
  issuer = await startTestIssuer();
  rules = { privateHosts: [issuer.host], maxBytes: 10_000 };
});
afterAll(() => issuer.close());

const fetch = (address: string, change: Partial<FetchRules> = {}) =>
  fetchJson(address, { ...rules, deadline: AbortSignal.timeout(20_000), ...change });
const read = (path: string, change: Partial<FetchRules> = {}) => fetch(issuer.origin + path, change);
const redirect = (path: string, location: string) =>
  issuer.answer(path, (_, response) => response.writeHead(302, { location }).end());

test("1. reads, and follows", async () => {
  redirect("/a", "/b");
  redirect("/b", `${issuer.origin}/jwks`);
  expect(await read("/a")).toHaveProperty("keys");
});

describe("2. connects to nothing else", () => {
  test.each([
    ["http://issuer.example/", "does not begin with https://"],
    ["https://127.0.0.1/", "no public address"],
    ["https://2130706433/", "no public address"],
    ["https://0x7f.1/", "no public address"],
    ["https://[::1]/", "no public address"],
    ["https://[::ffff:169.254.169.254]/", "no public address"],
    ["https://[64:ff9b::7f00:1]/", "no public address"],
    ["https://localhost/", "no public address"],
    ["https://me:secret@issuer.example/", "contains a password"],
    ["file:///etc/passwd", "does not begin with https://"],
    ["gopher://127.0.0.1/", "does not begin with https://"],
    ["nothing", "an invalid address"],
    [`https://issuer.example/${"a".repeat(2000)}`, "an invalid address"],
  ])("%s", async (address, reason) => {
    await expect(fetch(address, { privateHosts: [] })).rejects.toThrow(reason);
    redirect("/away", address);
    if (!address.includes("nothing"))
      await expect(read("/away")).rejects.toThrow(/address|redirects|https|password/);
  });

  test.each(["http://127.0.0.1:9/", "http://169.254.169.254/latest/meta-data", "file:///etc/passwd"])(
    "redirected to %s",
    async (address) => {
      redirect("/away", address);
      await expect(read("/away")).rejects.toThrow("does not begin with https://");
    },
  );

  test("a host with one private address among public ones", async () => {
    let count = 0;
    const resolve: FetchRules["resolve"] = (_host, _options, done) => {
      count += 1;
      done(null, [
        { address: "140.82.112.3", family: 4 },
        { address: "10.0.0.1", family: 4 },
      ]);
    };
    await expect(fetch("https://issuer.example/", { resolve, privateHosts: [] })).rejects.toThrow(
      "no public address",
    );
    expect(count).toBe(1);
  });

  test("a named private host on the network must use https", async () => {
    await expect(fetch("http://ci.internal/", { privateHosts: ["ci.internal"] })).rejects.toThrow(
      "does not begin with https://",
    );
  });
});

test("3. the address that was checked is the one connected to", async () => {
  let count = 0;
  const { port } = new URL(issuer.origin);
  // A rebinding name server's second answer would be refused if it were ever requested.
  const resolve: FetchRules["resolve"] = (_host, _options, done) =>
    done(null, [{ address: (count += 1) === 1 ? "127.0.0.1" : "192.0.2.1", family: 4 }]);
  const host = `localhost:${port}`;
  expect(await fetch(`http://${host}/jwks`, { resolve, privateHosts: [host] })).toHaveProperty("keys");
  expect(count).toBe(1);
});

describe("4. bad servers", () => {
  test("hangs", async () => {
    issuer.answer("/hang", () => {});
    await expect(read("/hang", { deadline: AbortSignal.timeout(100) })).rejects.toThrow(
      "does not respond in time",
    );
  });

  test("drips", async () => {
    issuer.answer("/drip", (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(" "), 10);
      response.on("close", () => clearInterval(timer));
    });
    await expect(read("/drip", { deadline: AbortSignal.timeout(200) })).rejects.toThrow(
      "does not respond in time",
    );
  });

  test("10 MB, with and without its length", async () => {
    const body = JSON.stringify("x".repeat(10_000_000));
    issuer.answer("/big", (_, response) => response.end(body));
    issuer.answer("/chunks", (_, response) => {
      response.write(body);
      response.end();
    });
    await expect(read("/big")).rejects.toThrow("too large");
    await expect(read("/chunks")).rejects.toThrow("too large");
  });

  test("no JSON, an error, no address, a circle, a broken connection", async () => {
    issuer.answer("/html", (_, response) => response.end("<html>"));
    issuer.answer("/error", (_, response) => answerJson(response, {}, 500));
    issuer.answer("/nowhere", (_, response) => response.writeHead(302).end());
    issuer.answer("/broken", (_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("{");
      setImmediate(() => response.destroy());
    });
    redirect("/circle", "/circle");
    await expect(read("/html")).rejects.toThrow("not JSON");
    await expect(read("/error")).rejects.toThrow("status 500");
    await expect(read("/nowhere")).rejects.toThrow("status 302");
    await expect(read("/circle")).rejects.toThrow("more than 3 times");
    await expect(read("/broken")).rejects.toThrow("broken off");
  });
});

test("5. certificates", async () => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-tls-"));
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const made =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=ci.internal";
  const names = ["-addext", "subjectAltName=DNS:ci.internal", "-keyout", keyFile, "-out", certFile];
  execFileSync("openssl", [...made.split(" "), ...names], { stdio: "pipe" });
  const tls = { key: readFileSync(keyFile), cert: readFileSync(certFile) };
  const server = createServer(tls, (_, response) => response.end('{"is":"here"}'));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  // A server on TCP has an address and a port.
  const { port } = server.address() as AddressInfo;
  // Trust in a certificate is set per process, so this test starts its own.
  const script = `
    import { fetchJson } from "#accounts/trust/fetch-json.ts";
    const resolve = (host, options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]);
    for (const host of ["ci.internal:${port}", "other.internal:${port}"])
      await fetchJson("https://" + host + "/", { privateHosts: [host], maxBytes: 100, deadline: AbortSignal.timeout(20000), resolve })
        .then((json) => console.log(JSON.stringify(json)), (error) => console.log(error.message));`;
  const run = async (env: object) => {
    const node = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script];
    const { stdout } = await promisify(execFile)(process.execPath, node, { env: { ...process.env, ...env } });
    return stdout.trim().split("\n");
  };
  expect(await run({ NODE_EXTRA_CA_CERTS: certFile })).toEqual([
    '{"is":"here"}',
    "its certificate is not valid (ERR_TLS_CERT_ALTNAME_INVALID)",
  ]);
  expect(await run({})).toEqual(
    Array.from({ length: 2 }, () => "its certificate is not valid (DEPTH_ZERO_SELF_SIGNED_CERT)"),
  );
  server.close();
  rmSync(folder, { recursive: true });
});
