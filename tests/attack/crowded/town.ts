/** Two organizations of one server: one that asks for everything in parallel, and one that asks for little. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { join } from "node:path";
import { digestOf, OCI_IMAGE } from "../registry-client.ts";
import { type Answer, json, send, type Sent } from "../requests.ts";
import { asOwner } from "../sign-in.ts";

/** The data of one organization's programs. */
export interface Resident {
  port: number;
  organization: string;
  /** The organization's tokens; as many as anyone may make. */
  tokens: readonly string[];
  /** `/v2/crowd/web`, with an image `stable`. */
  repository: string;
  /** Digests in the cache: of 10 KB, and of 1 MB. */
  small: string;
  large: string;
  /** The digest of the image's layer. */
  layer: string;
}

const SMALL_BYTES = 10 * 1024;
const LARGE_BYTES = 1024 * 1024;

export const hexOf = (digest: string): string => digest.slice("sha256:".length);

/** Makes the organization with its tokens, a repository with an image, and entries in the cache. */
export async function settle(port: number, organization: string, tokenCount: number): Promise<Resident> {
  const call = async (method: string, body: object, of?: string) => {
    const headers = { ...asOwner, ...(of && { "millrace-org": of }) };
    const { body: answered } = await must(port, json(`/api/millrace.v1.${method}`, body, { headers }));
    return JSON.parse(answered.toString()) as { secret: string };
  };
  await call("OrganizationService/Create", { name: organization });
  await call("ProjectService/Create", { name: "web" }, organization);
  const tokens: string[] = [];
  for (let at = 0; at < tokenCount; at++) {
    const { secret } = await call("TokenService/Create", { name: `of ${at}`, type: "org" }, organization);
    tokens.push(secret);
  }
  const headers = { authorization: `Bearer ${tokens[0]}` };
  const repository = `/v2/${organization}/web`;
  const put = async (bytes: Buffer) => {
    const digest = digestOf(bytes);
    await must(port, { method: "PUT", path: `/cache/bazel/cas/${hexOf(digest)}`, headers, body: bytes });
    return digest;
  };
  const small = await put(Buffer.alloc(SMALL_BYTES, `${organization} small `));
  const large = await put(Buffer.alloc(LARGE_BYTES, `${organization} large `));
  const layer = await pushImage({ port, repository, headers, tag: "stable", seed: organization });
  return { port, organization, tokens, repository, small, large, layer };
}

interface Push {
  port: number;
  repository: string;
  headers: Record<string, string>;
  tag: string;
  /** Other bytes for another seed. */
  seed: string;
}

/** @returns the digest of its layer */
export async function pushImage({ port, repository, headers, tag, seed }: Push): Promise<string> {
  const blobs = [Buffer.from(`{"seed":"${seed}"}`), Buffer.alloc(256 * 1024, `${seed} layer `)];
  const [config, layer] = blobs.map((bytes) => ({
    mediaType: "application/octet-stream",
    digest: digestOf(bytes),
    size: bytes.length,
  }));
  for (const bytes of blobs) {
    const path = `${repository}/blobs/uploads/?digest=${digestOf(bytes)}`;
    await must(port, { method: "POST", path, headers, body: bytes });
  }
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType: OCI_IMAGE, config, layers: [layer] });
  const path = `${repository}/manifests/${tag}`;
  await must(port, {
    method: "PUT",
    path,
    headers: { ...headers, "content-type": OCI_IMAGE },
    body: manifest,
  });
  return layer!.digest;
}

/** @throws Error with the answer for any status but 2xx */
async function must(port: number, sent: Sent): Promise<Answer> {
  const answer = await send(port, sent);
  if (answer.status >= 200 && answer.status < 300) return answer;
  const said = answer.failure ?? answer.body.toString().slice(0, 300);
  throw new Error(`${sent.method ?? "GET"} ${sent.path}: ${answer.status} ${said}`);
}

export interface Crowd {
  pause: () => Promise<void>;
  resume: () => Promise<void>;
  /** How often each kind of request was answered with each status until now. */
  count: () => Promise<Record<string, Record<string, number>>>;
  stop: () => Promise<void>;
}

export interface CrowdOptions {
  processes: number;
  /** Multiplies the number of parallel requests of each kind. */
  size?: number;
  /** Niceness of its processes, 0 to 19. Default: all others come first. */
  nice?: number;
  /** Only these kinds. Default: all. */
  kinds?: readonly string[];
}

/** The organization's clients in processes of their own, which get the time that others leave: they stand for other machines. */
export async function gather(resident: Resident, options: CrowdOptions): Promise<Crowd> {
  const { processes, size = 1, kinds, nice = 19 } = options;
  const args = (number: number) => [JSON.stringify({ resident, number, size, kinds })];
  const children = Array.from({ length: processes }, (_, number) =>
    fork(join(import.meta.dirname, "load.ts"), args(number), {
      execArgv: ["--disable-warning=ExperimentalWarning"],
    }),
  );
  for (const { pid } of children) if (pid !== undefined) setPriority(pid, nice);
  await Promise.all(children.map((child) => once(child, "message")));
  const ask = (what: string) => Promise.all(children.map((child) => askChild(child, what)));
  return {
    pause: async () => void (await ask("pause")),
    resume: async () => void (await ask("resume")),
    async count() {
      const sum: Record<string, Record<string, number>> = {};
      for (const counts of await ask("count"))
        for (const [kind, statuses] of Object.entries(counts))
          for (const [status, count] of Object.entries(statuses)) {
            const of = (sum[kind] ??= {});
            of[status] = (of[status] ?? 0) + count;
          }
      return sum;
    },
    async stop() {
      const ends = children.map((child) => once(child, "exit"));
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(ends);
    },
  };
}

type Counts = Record<string, Record<string, number>>;

async function askChild(child: ChildProcess, what: string): Promise<Counts> {
  const answer = once(child, "message");
  child.send(what);
  // Only `load.ts` sends.
  const [counts] = (await answer) as [Counts];
  return counts;
}
