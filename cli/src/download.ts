/** Gets a file or a text from a server, without a token. */
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { CliError } from "./errors.ts";
import { networkError } from "./network-errors.ts";
import { openFetch } from "./network.ts";

/** A server that sends nothing for this long is down. */
const SILENT_MS = 60_000;

export interface Download {
  headers: Headers;
  /** Chunks as they arrive. @throws CliError if there are more than `maxBytes`, or the connection ends early */
  body: AsyncIterable<Uint8Array>;
}

/** @returns undefined if the server has no such file. @throws CliError for every other failure */
export async function download(
  env: NodeJS.ProcessEnv,
  url: URL,
  { maxBytes, method = "GET" }: { maxBytes: number; method?: "GET" | "HEAD" },
): Promise<Download | undefined> {
  const ask = await openFetch(env);
  const silence = new AbortController();
  const heard = restartable(() => silence.abort(), SILENT_MS);
  const fail = async (error: unknown): Promise<CliError> => {
    if (error instanceof CliError) return error;
    return silence.signal.aborted
      ? new CliError(`${url.origin} sent nothing for ${SILENT_MS / 1000} s: try again`)
      : networkError(error, url);
  };
  try {
    const answer = await ask(url, { method, redirect: "manual", signal: silence.signal });
    if (answer.status === 404) {
      heard.stop();
      return undefined;
    }
    if (answer.status !== 200)
      throw new CliError(`${url} responded with ${answer.status}: try again in a moment`);
    if (method === "HEAD") heard.stop();
    return { headers: answer.headers, body: read(answer, maxBytes) };
  } catch (error) {
    heard.stop();
    throw await fail(error);
  }

  async function* read(answer: Response, most: number): AsyncGenerator<Uint8Array> {
    let size = 0;
    try {
      for await (const chunk of answer.body ?? []) {
        heard.again();
        size += chunk.length;
        if (size > most) throw new CliError(`${url} is larger than ${most} bytes`);
        yield chunk;
      }
    } catch (error) {
      throw await fail(error);
    } finally {
      heard.stop();
    }
  }
}

function restartable(run: () => void, ms: number): { again: () => void; stop: () => void } {
  let timer = setTimeout(run, ms);
  return {
    again() {
      clearTimeout(timer);
      timer = setTimeout(run, ms);
    },
    stop: () => clearTimeout(timer),
  };
}

export async function readText({ body }: Download): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** @returns the size and the SHA-256 of the written bytes */
export async function writeTo(
  file: FileHandle,
  { body }: Download,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of body) {
    hash.update(chunk);
    bytes += chunk.length;
    await file.writeFile(chunk);
  }
  await file.sync();
  return { bytes, sha256: hash.digest("hex") };
}
