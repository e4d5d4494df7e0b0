import type { IngestHealth } from "#telemetry/index.ts";
import { type Attack, isWait, type Stage } from "../attack.ts";
import { read } from "../documents.ts";
import { type Answer, inParallel, send } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";
import { asOwner } from "../sign-in.ts";
import { KINDS, PROXY, readNames, requestOf, SMALL_BYTES, startSmallTelemetry } from "../telemetry-kinds.ts";

const HONEST_ROWS = 20;

export const strangersDisk: Attack = {
  item: 27,
  name: "strangers who fill the telemetry's disk",
  bound:
    "One network gets a small share and is told to wait; what honest readers sent before outlives a flood from everywhere.",
  async run(stage) {
    // A tenth of the usual shares in the short form, so that a tenth of the bytes is enough.
    const factor = stage.isShort ? 0.1 : 1;
    const env = { TRUSTED_PROXIES: PROXY, RATE_LIMIT_FACTOR: String(factor) };
    const server = await stage.server({ env });
    await oneAddress(stage, server, factor);
    await oneNetwork(stage, server, factor);
    await allTheInternet(stage);
  },
};

/** 80 MB were kept of one address in half a minute. */
async function oneAddress(stage: Stage, server: RunningServer, factor: number): Promise<void> {
  const from = () => "198.51.100.7";
  const kept = await flood(stage, server, { name: "one address", count: 130 * factor, kilobytes: 600, from });
  stage.check(kept <= 45e6 * factor, `one address had ${megabytes(kept)} kept`);
  const other = await send(server.port, requestOf("recordings", "203.0.113.1"));
  stage.check(other.status === 200, `beside the flood of one address another one got ${other.status}`);
}

/** Each of its addresses sends little. */
async function oneNetwork(stage: Stage, server: RunningServer, factor: number): Promise<void> {
  const from = (at: number) => `2001:db8:1:${at.toString(16)}::1`;
  const kept = await flood(stage, server, { name: "a /48", count: 1000, kilobytes: 150 * factor, from });
  stage.check(kept <= 90e6 * factor, `a network of 48 bits had ${megabytes(kept)} kept`);
  const other = await send(server.port, requestOf("recordings", "2001:db8:2::1"));
  stage.check(other.status === 200, `beside the flood of one network another one got ${other.status}`);
}

async function flood(
  stage: Stage,
  server: RunningServer,
  {
    name,
    count,
    kilobytes,
    from,
  }: { name: string; count: number; kilobytes: number; from: (at: number) => string },
): Promise<number> {
  const before = await keptBytes(server);
  const { result, figure } = await stage.measure(server, name, () =>
    inParallel(Math.round(count), 8, (at) =>
      send(server.port, requestOf("recordings", from(at), { bytes: kilobytes * 1000 })),
    ),
  );
  const kept = (await keptBytes(server)) - before;
  checkAnswers(stage, name, result);
  const refused = result.filter(({ status }) => status === 429).length;
  stage.report(
    `${name} sends ${megabytes(count * kilobytes * 1000)}`,
    `${megabytes(kept)} kept, ${refused} × 429`,
    {
      sentBytes: kilobytes * 1000,
      ...figure,
    },
  );
  return kept;
}

/** Some are refused, and each refusal says when to come back. */
function checkAnswers(stage: Stage, name: string, answers: Answer[]): void {
  const refused = answers.filter(({ status }) => status === 429);
  stage.check(refused.length > 0, `${name}: all ${answers.length} were taken`);
  stage.check(
    answers.every(({ status }) => status === 200 || status === 204 || status === 429),
    `${name}: answered ${[...new Set(answers.map(({ status }) => status))].join(", ")}`,
  );
  stage.check(
    refused.every(({ headers }) => isWait(headers["retry-after"])),
    `${name}: 429 without Retry-After`,
  );
}

async function keptBytes(server: RunningServer): Promise<number> {
  const answer = await send(server.port, { path: "/console/api/health", headers: asOwner });
  return read<IngestHealth>(answer).database?.bytes ?? 0;
}

/** As many networks as it takes send many times what a small database holds, of each kind. */
async function allTheInternet(stage: Stage): Promise<void> {
  const dataDir = stage.dataDir();
  const honest = await sendHonest(stage, dataDir);
  for (const kind of KINDS) {
    const { port, close } = await startSmallTelemetry(dataDir);
    const bytes = kind === "feedback" ? 1900 : 100_000;
    const count = Math.min(2000, Math.ceil(((stage.isShort ? 1 : 5) * SMALL_BYTES) / bytes));
    const answers = await inParallel(count, 8, (at) =>
      send(port, requestOf(kind, `2001:${(0x1000 + (at % 500)).toString(16)}::1`, { bytes })),
    );
    await close();
    checkAnswers(stage, `${kind} from everywhere`, answers);
    const refused = answers.filter(({ status }) => status === 429).length;
    stage.report(`${kind} from 500 networks`, `${refused} of ${answers.length} answered 429`);
  }
  // The start deletes the excess.
  const { close } = await startSmallTelemetry(dataDir);
  await close();
  const after = readNames(dataDir);
  const lost = honest.filter((name) => !after.has(name));
  stage.check(
    lost.length === 0,
    `the flood replaced ${lost.length} honest rows: ${lost.slice(0, 3).join(", ")}`,
  );
  stage.report("honest rows after that", `${honest.length - lost.length} of ${honest.length} are there`);
}

/** @returns their names */
async function sendHonest(stage: Stage, dataDir: string): Promise<string[]> {
  const { port, close } = await startSmallTelemetry(dataDir);
  const names: string[] = [];
  for (const kind of KINDS)
    for (let at = 0; at < HONEST_ROWS; at++) {
      const name = `${KINDS.indexOf(kind)}0a1fc2d-0000-7000-8000-${String(at).padStart(12, "0")}`;
      const { status } = await send(port, requestOf(kind, `192.0.2.${at}`, { name }));
      stage.check(status < 300, `an honest reader's ${kind} were answered ${status}`);
      names.push(name);
    }
  await close();
  return names;
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
