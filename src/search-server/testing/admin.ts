import { type EmbeddedProviderOptions, openEmbeddedProvider } from "../provider.ts";
import { wireStore } from "./documents.ts";

export interface Answered {
  status: number;
  json: { [name: string]: unknown };
}

const adminKey = "the-key-of-an-administrator";

/** The server as the site opens it, with `docs` as the site's own index, for a sender who may do everything. */
export async function startAdmin(options: Partial<EmbeddedProviderOptions> = {}) {
  const store = options.store ?? wireStore();
  const provider = await openEmbeddedProvider({
    store,
    publicIndexes: ["docs"],
    builtInIndexes: ["docs"],
    adminKey,
    ...options,
  });

  async function ask(method: string, path: string, body?: unknown, key: string | null = adminKey) {
    const response = await provider.routes.admin.request(path, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        "content-type": "application/json",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = (text === "" ? {} : JSON.parse(text)) as Answered["json"];
    return { status: response.status, json } satisfies Answered;
  }

  /** Waits for a write's task. @throws Error if it was refused */
  async function done(answer: Answered | Promise<Answered>): Promise<Answered["json"]> {
    const { status, json } = await answer;
    if (status !== 202) throw new Error(`The write was refused: ${JSON.stringify(json)}`);
    for (;;) {
      const task = (await ask("GET", `/tasks/${String(json["taskUid"])}`)).json;
      if (task["finishedAt"] !== null) return task;
      await new Promise(setImmediate);
    }
  }

  return { provider, store, ask, done, adminKey, close: provider.close };
}
