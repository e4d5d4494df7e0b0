/**
 * One request to a model, and its stream. Nothing of the answer is trusted: its status, its type, its length and its form are
 * checked, and redirects are not followed, because the key would go with them.
 */
import { createParser } from "eventsource-parser";
import { BodyError, readAnswerText, readChunks } from "#platform/http/read-body.ts";
import { MAX_MODEL_BYTES, MAX_REFUSAL_BYTES } from "../contract/limits.ts";
import { anthropic } from "./anthropic.ts";
import { type Model, ModelError, type ModelPart, type ModelProtocol, type Prompt } from "./model.ts";
import { openai } from "./openai.ts";
import { parseJson, readCode } from "./read-event.ts";

export interface ModelSettings {
  url: string;
  name: string;
  api: "openai" | "anthropic";
  key?: string | undefined;
  /** Default: `MAX_MODEL_BYTES`. */
  maxBytes?: number;
}

const PROTOCOLS: { [api in ModelSettings["api"]]: ModelProtocol } = { openai, anthropic };

export function connectModel({ url, name, api, key, maxBytes = MAX_MODEL_BYTES }: ModelSettings): Model {
  const protocol = PROTOCOLS[api];
  const address = url.replace(/\/$/, "") + protocol.path;
  const headers = {
    "content-type": "application/json",
    accept: "text/event-stream",
    ...protocol.headers(key),
  };

  async function request(prompt: Prompt, signal: AbortSignal): Promise<Response> {
    const body = JSON.stringify(protocol.body(name, prompt));
    const response = await fetch(address, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal,
    }).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new ModelError("unreachable", codeOf(cause), { cause });
    });
    const problem = await problemOf(response, signal);
    if (!problem) return response;
    void response.body?.cancel().catch(() => {});
    throw problem;
  }

  return {
    name,
    host: new URL(address).hostname,
    async *write(prompt, signal) {
      const response = await request(prompt, signal);
      let hasEnded = false;
      for await (const data of readEvents(response, maxBytes, signal)) {
        const parts: ModelPart[] | null = protocol.read(data);
        if (!parts) throw new ModelError("garbage");
        for (const part of parts) {
          // Only reports of tokens may follow the end.
          if (part.kind !== "tokens" && hasEnded) continue;
          hasEnded ||= part.kind === "end";
          yield part;
        }
      }
      if (!hasEnded) throw new ModelError("cut");
    },
  };
}

/** @returns null when the response is a stream of events */
async function problemOf(response: Response, signal: AbortSignal): Promise<ModelError | null> {
  const { status, headers } = response;
  if (status >= 300 && status < 400) return new ModelError("redirect", String(status));
  if (status === 200) {
    const type = headers.get("content-type") ?? "none";
    if (/^text\/event-stream\s*(?:;|$)/i.test(type)) return null;
    return new ModelError("not a stream", /^[\w.+/-]{1,60}/.exec(type)?.[0] ?? "");
  }
  const text = await readAnswerText(response, { maxBytes: MAX_REFUSAL_BYTES, signal }).catch(() => {
    signal.throwIfAborted();
    return "";
  });
  const code = readCode(parseJson(text));
  return new ModelError(problemOfStatus(status), code === "" ? String(status) : `${status}, ${code}`);
}

function problemOfStatus(status: number) {
  if (status === 401 || status === 403) return "key";
  if (status === 404 || status === 405) return "not found";
  // 529: Anthropic is overloaded.
  if (status === 429 || status === 503 || status === 529) return "busy";
  return status < 500 ? "refused" : "failed";
}

/** The data of each event. @throws ModelError, or the signal's reason */
async function* readEvents(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let waiting: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void waiting.push(data) });
  const decoder = new TextDecoder();
  try {
    // The declared length would count compressed bytes.
    const source = { headers: { get: () => null }, body: response.body };
    for await (const chunk of readChunks(source, { maxBytes, signal })) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      const events = waiting;
      waiting = [];
      yield* events;
    }
  } catch (cause) {
    if (!(cause instanceof BodyError)) throw cause;
    throw new ModelError(cause.problem === "too large" ? "too long" : "cut", "", { cause });
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return /^[A-Z0-9_]{1,60}$/.test(code) ? code : "";
}
