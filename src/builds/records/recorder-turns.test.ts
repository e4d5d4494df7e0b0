/**
 * 1. A builder's status of a build is charged to the build's organization; without a turn no more of it is read, and with a turn
 *    all of it is written.
 */
import { create, toBinary } from "@bufbuild/protobuf";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { StatusResponseSchema } from "#builds/gen/buildkit/control_pb.ts";
import { COSTS, PARSED } from "#platform/fair/limits.ts";
import { workGate } from "#platform/fair/work-gate.ts";
import { Masker } from "../masking/masker.ts";
import { answerMessages } from "../testing/proxy.ts";
import { Recorder } from "./recorder.ts";

const LINES = 1_000;
const vertex = "sha256:1";
const began = create(StatusResponseSchema, {
  vertexes: [{ digest: vertex, name: "[1/1] RUN make", started: { seconds: 1n } }],
});
const wrote = create(StatusResponseSchema, {
  logs: [{ vertex, stream: 1n, msg: Buffer.from("a line of the log\n".repeat(LINES)) }],
});

test("1. a log waits for turns", async () => {
  const folder = mkdtempSync(join(tmpdir(), "recorder-"));
  const socket = join(folder, "b.sock");
  const builder = createServer().on("stream", (stream) =>
    answerMessages(
      stream,
      [began, wrote, wrote].map((status) => toBinary(StatusResponseSchema, status)),
    ),
  );
  builder.listen(socket);
  await once(builder, "listening");
  onTestFinished(() => {
    vi.restoreAllMocks();
    builder.close();
    rmSync(folder, { recursive: true });
  });
  const turn = Promise.withResolvers<void>();
  vi.spyOn(workGate, "pace").mockReturnValue(turn.promise);
  const charge = vi.spyOn(workGate, "charge");
  const lines: string[] = [];
  const recorder = new Recorder({
    buildId: "bld_a",
    organizationId: "org_a",
    masker: new Masker(),
    lastDurations: new Map(),
    clock: () => 0,
    log: { debug() {}, info() {}, warn() {}, error() {}, writes: () => false, flush() {} },
    write: async (progress) => void lines.push(...progress.lines.map(({ text }) => text)),
  });
  recorder.follow({ platform: "linux/amd64", ref: "r", socket, isKept: false });
  await vi.waitFor(() => expect(charge).toHaveBeenCalledTimes(1));
  expect(await recorder.settle(0)).toEqual([]);
  expect(charge).toHaveBeenCalledTimes(1);
  turn.resolve();
  expect(await recorder.settle(20_000)).toHaveLength(1);
  await recorder.end("failed");
  const charged = charge.mock.calls.reduce((sum, [holder, cost]) => sum + (holder === "org_a" ? cost : 0), 0);
  const bytes = 2 * LINES * "a line of the log\n".length;
  expect(charged).toBeGreaterThan((PARSED * COSTS.megabyte * bytes) / 2 ** 20);
  expect(lines.filter((text) => text === "a line of the log")).toHaveLength(2 * LINES);
});
