import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export interface Latency {
  count: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

export interface ServerUnderTest {
  port: number;
  /** CPU time of the whole process in milliseconds, and the state of its queue. */
  usage: () => Promise<{ cpuMs: number; queued: number; dropped: number }>;
  stop: () => void;
}

export async function startServer(indexFile: string, isOn: boolean): Promise<ServerUnderTest> {
  const child: ChildProcess = fork(join(import.meta.dirname, "server.ts"), [indexFile, isOn ? "on" : "off"], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  // The server sends its port first, and usage after each question.
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return {
    port,
    async usage() {
      const answer = once(child, "message");
      child.send("cpu");
      const [usage] = (await answer) as [{ cpuMs: number; queued: number; dropped: number }];
      return usage;
    },
    stop: () => void child.kill(),
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** @returns milliseconds from the start of the request to the end of the answer */
function post(port: number, path: string, body: Buffer | string, type: string): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        port,
        host: "127.0.0.1",
        path,
        method: "POST",
        headers: {
          "content-type": type,
          "content-length": Buffer.byteLength(body),
          "accept-encoding": "gzip",
          "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36",
        },
      },
      (response) => {
        response.resume();
        response.once("end", () => {
          if (response.statusCode === 200) resolve(performance.now() - started);
          else reject(new Error(`${path} answered ${response.statusCode}.`));
        });
      },
    );
    sent.once("error", reject);
    sent.end(body);
  });
}

let nextEvent = 0;

/** A body as posthog-js sends it: gzip without a header, the properties that it adds, a few events. */
function eventBody(events: number): Buffer {
  const batch = Array.from({ length: events }, () => {
    nextEvent += 1;
    return {
      uuid: `01a1fc2d-0000-7000-8000-${String(nextEvent).padStart(12, "0")}`,
      event: "search",
      properties: { ...sdkProperties, query: `query ${nextEvent % 500}`, hits: 12 },
      timestamp: new Date().toISOString(),
    };
  });
  return gzipSync(JSON.stringify({ api_key: "millrace", batch, sent_at: new Date().toISOString() }));
}

const sdkProperties = {
  $os: "Linux",
  $browser: "Chrome",
  $device_type: "Desktop",
  $timezone: "UTC",
  $current_url: "http://localhost:4300/docs/cache/overview",
  $host: "localhost:4300",
  $pathname: "/docs/cache/overview",
  $raw_user_agent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36",
  $browser_version: 156,
  $browser_language: "en-US",
  $screen_height: 720,
  $screen_width: 1280,
  $viewport_height: 720,
  $viewport_width: 1280,
  $lib: "web",
  $lib_version: "1.434.18",
  $insert_id: "jwb5t0g0irz1xs58",
  distinct_id: "01a1fc2d-26f7-7798-aea1-fa75d352d7ea",
  $device_id: "01a1fc2d-26f7-7798-aea1-fa75d352d7ea",
  $referrer: "$direct",
  $referring_domain: "$direct",
  token: "millrace",
  $session_id: "01a1fc2d-2777-7965-a2ec-0e352c36b50e",
  $window_id: "01a1fc2d-2777-7965-a2ec-0e36703a6219",
  $is_identified: false,
  $process_person_profile: false,
};

export function latencyOf(times: number[]): Latency {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
}

/** Sends bodies at a steady rate, whether answers come or not, for some seconds. */
export async function sendEvents(
  port: number,
  perSecond: number,
  eventsPerBody: number,
  seconds: number,
): Promise<number[]> {
  const bodies = Array.from({ length: Math.ceil((perSecond / eventsPerBody) * seconds) }, () =>
    eventBody(eventsPerBody),
  );
  const interval = 1000 / (perSecond / eventsPerBody);
  const started = performance.now();
  const answers: Promise<number>[] = [];
  for (const [index, body] of bodies.entries()) {
    const wait = started + index * interval - performance.now();
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    answers.push(post(port, "/ingest/e/", body, "text/plain"));
  }
  return Promise.all(answers);
}

const words = [
  "turborepo",
  "cache quota",
  "docker layer cache",
  "github runner",
  "bazel remote cache",
  "oidc token",
];

/** Searches letter by letter, in sequence, each with its own word so that no answer is cached. */
export async function search(port: number, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++)
    for (const word of words)
      for (let length = 2; length <= word.length; length++) {
        const q = `${word.slice(0, length)} ${round}`;
        times.push(
          await post(
            port,
            "/multi-search",
            JSON.stringify({ queries: [{ indexUid: "docs", q }] }),
            "application/json",
          ),
        );
      }
  return times;
}
