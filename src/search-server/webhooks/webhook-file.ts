/** The file of the webhooks. Their headers are encrypted under the master key. */
import { readFile } from "node:fs/promises";
import * as z from "zod";
import { renameDurably, writeDurably } from "#platform/files/durable.ts";
import { createSeal } from "#platform/seal/seal.ts";
import { MAX_WEBHOOKS } from "../protocol/limits.ts";
import { asStorageError } from "../protocol/storage-errors.ts";
import type { Webhook } from "./webhook.ts";

/** Raised when the file's format changes; a file of an unknown format is put aside, never overwritten. */
const FORMAT_VERSION = 1;

const fileSchema = z.strictObject({
  version: z.literal(FORMAT_VERSION),
  webhooks: z
    .array(z.strictObject({ uuid: z.uuid(), url: z.string(), headers: z.string() }))
    .max(MAX_WEBHOOKS),
});
const headersSchema = z.record(z.string(), z.string());

export interface WebhookFile {
  read: () => Promise<{ webhooks: Webhook[]; problems: string[] }>;
  /** @throws ApiError; then the old file stays. */
  write: (webhooks: readonly Webhook[]) => Promise<void>;
}

export function openWebhookFile(path: string, masterKey: string): WebhookFile {
  const seal = createSeal(Buffer.from(masterKey), { purpose: "search webhooks" });

  async function putAside(): Promise<string> {
    const aside = `${path}.${Date.now()}.damaged`;
    await renameDurably(path, aside);
    return aside;
  }

  return {
    async read() {
      const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      });
      if (text === null) return { webhooks: [], problems: [] };
      const parsed = fileSchema.safeParse(parse(text));
      if (!parsed.success)
        return {
          webhooks: [],
          problems: [
            `The webhooks in ${path} could not be read and are now in ${await putAside()}. They are not called.`,
          ],
        };
      const webhooks: Webhook[] = [];
      const lost: string[] = [];
      for (const { uuid, url, headers } of parsed.data.webhooks) {
        const opened = headersSchema.safeParse(parse(seal.open(headers, uuid) ?? ""));
        if (opened.success) webhooks.push({ uuid, url, headers: opened.data });
        else lost.push(uuid);
      }
      if (lost.length === 0) return { webhooks, problems: [] };
      // With headers of another master key a webhook would be called without its secret.
      const aside = await putAside();
      const problem = `The webhooks ${lost.join(", ")} were made with a different SEARCH_ADMIN_KEY: they are removed, and kept in ${aside}. Create them again.`;
      return { webhooks, problems: [problem] };
    },
    async write(webhooks) {
      const sealed = webhooks.map(({ uuid, url, headers }) => ({
        uuid,
        url,
        headers: seal.seal(JSON.stringify(headers), uuid),
      }));
      try {
        await writeDurably(
          path,
          `${JSON.stringify({ version: FORMAT_VERSION, webhooks: sealed }, null, 2)}\n`,
        );
      } catch (error) {
        throw asStorageError(error);
      }
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
