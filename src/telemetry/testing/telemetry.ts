import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hono } from "hono";
import { afterEach, vi } from "vitest";
import { openTelemetry, type Telemetry, type TelemetryOptions } from "../open-telemetry.ts";

export const origin = "https://docs.example.com";
export const readerAddress = "203.0.113.77";
export const readerAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

// Starting a thread with its own database takes a second on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const opened: Telemetry[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((telemetry) => telemetry.close()));
});

/** Sends requests as @hono/node-server passes them, from the reader's address. */
export function requestTo(app: Hono) {
  return (path: string, init: RequestInit & { from?: string } = {}) => {
    const { from = readerAddress, headers, ...rest } = init;
    return app.request(
      new URL(path, origin),
      {
        ...rest,
        headers: {
          host: "docs.example.com",
          "user-agent": readerAgent,
          ...(headers as Record<string, string>),
        },
      },
      { incoming: { socket: { remoteAddress: from } } },
    );
  };
}

/** Telemetry with a database of its own, closed after the test. */
export function startTelemetry(options: Partial<TelemetryOptions> = {}) {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "telemetry-"));
  const log: string[] = [];
  const telemetry = openTelemetry({
    dataDir,
    origin,
    log: (line) => log.push(line),
    ...options,
    config: {
      retentionDays: 30,
      maxBytes: 2_000_000_000,
      analytics: true,
      recording: true,
      flags: [],
      surveys: [],
      ...options.config,
    },
  });
  opened.push(telemetry);
  const request = requestTo(telemetry.app);
  const post = (path: string, body: BodyInit, contentType = "application/json") =>
    request(path, { method: "POST", body, headers: { "content-type": contentType } });
  return { ...telemetry, dataDir, file: join(dataDir, "telemetry.sqlite"), log, request, post };
}
