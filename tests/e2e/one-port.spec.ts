/**
 * The built server, as an operator starts it, on one port:
 * 1. With TLS_CERT and TLS_KEY a browser reads a page and its files over HTTP/2; gRPC's health is served on the same
 *    port.
 * 2. Without them curl reads the same page over HTTP/1.1 and HTTP/2; gRPC's health is served on the same port.
 * 3. An unusable certificate ends the start with a message that says what is wrong.
 * 4. On a stop signal, the server notifies watchers of gRPC's health, and ends cleanly.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChannelCredentials, Client, credentials, type ServiceError } from "@grpc/grpc-js";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  HealthCheckRequestSchema,
  HealthCheckResponseSchema,
} from "#platform/grpc/gen/grpc/health/v1/health_pb.ts";
import { curl, makeCertificate } from "#server/testing/tools.ts";
import { origin } from "./fixtures.ts";
import { expect, test as base } from "./worker.ts";

const files = makeCertificate();

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "localhost", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

interface Started {
  port: number;
  child: ChildProcess;
  /** Everything printed until it listens or has ended. */
  output: string;
  ended: Promise<number | null>;
}

/** A second server over the same build. */
async function start(env: Record<string, string>): Promise<Started> {
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), "one-port-"));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "src/server/main.ts"], {
    env: {
      ...process.env,
      PORT: String(port),
      HOST: "localhost",
      SITE_ORIGIN: origin,
      BUILD_DIR: ".cache/test-build",
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  void ended.then(() => rmSync(dataDir, { recursive: true, force: true }));
  await new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
        if (output.includes("Millrace is at")) resolve();
      });
    void ended.then(() => resolve());
  });
  return { port, child, output, ended };
}

const test = base.extend<{ secure: Started }>({
  secure: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const started = await start({ TLS_CERT: files.certFile, TLS_KEY: files.keyFile });
      await use(started);
      started.child.kill("SIGKILL");
      await started.ended;
    },
    { timeout: 60_000 },
  ],
});

const write = () =>
  Buffer.from(toBinary(HealthCheckRequestSchema, create(HealthCheckRequestSchema, { service: "" })));
const read = (bytes: Buffer) => fromBinary(HealthCheckResponseSchema, bytes).status;

function checkHealth(port: number | string, how: ChannelCredentials): Promise<number | undefined> {
  const client = new Client(`localhost:${port}`, how);
  return new Promise<number | undefined>((resolve, reject) => {
    client.makeUnaryRequest("/grpc.health.v1.Health/Check", write, read, "", (error, status) =>
      error ? reject(error) : resolve(status),
    );
  }).finally(() => client.close());
}

test.describe("1. TLS", () => {
  test.use({ ignoreHTTPSErrors: true });

  test("a browser and gRPC on one port", async ({ page, secure }) => {
    const { port } = secure;
    await page.goto(`https://localhost:${port}/docs`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const protocols = await page.evaluate(() =>
      performance
        .getEntries()
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .map(({ name, nextHopProtocol }) => `${new URL(name).protocol} ${nextHopProtocol}`),
    );
    expect(protocols.length).toBeGreaterThan(2);
    expect(new Set(protocols)).toEqual(new Set(["https: h2"]));
    expect(await checkHealth(port, credentials.createSsl(readFileSync(files.certFile)))).toBe(1);
    const redirect = await curl(
      "--insecure",
      "-o",
      "/dev/null",
      "-w",
      "%{http_version} %{http_code}",
      `https://localhost:${port}/docs/`,
    );
    expect(redirect).toBe("2 308");
  });
});

test("2. clear text", async () => {
  const port = new URL(origin).port;
  const plain = await curl(`${origin}/docs`);
  expect(plain).toContain("<h1");
  // Rendered pages have a nonce per answer; this page is built.
  expect(await curl("--http2-prior-knowledge", `${origin}/docs`)).toBe(plain);
  expect(await checkHealth(port, credentials.createInsecure())).toBe(1);
});

test("3. a certificate without its key", async () => {
  const { output, ended } = await start({ TLS_CERT: files.certFile, TLS_KEY: makeCertificate().keyFile });
  expect(await ended).toBe(1);
  expect(output).toMatch(/TLS_CERT .* and TLS_KEY .* cannot be used together/);
  expect(output).not.toContain("at openCertificate");
});

test("4. the end", async () => {
  const { port, child, ended } = await start({});
  const client = new Client(`localhost:${port}`, credentials.createInsecure());
  const stream = client.makeServerStreamRequest("/grpc.health.v1.Health/Watch", write, read, "");
  const seen: number[] = [];
  const over = new Promise<number>((resolve) =>
    stream.once("error", ({ code }: ServiceError) => resolve(code)),
  );
  stream.on("data", (status: number) => {
    seen.push(status);
    if (seen.length === 1) child.kill("SIGTERM");
  });
  expect([await over, seen, await ended]).toEqual([14, [1, 2], 0]);
  client.close();
});
