import { join } from "node:path";
import { openWebhookFile } from "./webhook-file.ts";
import { createWebhooks, type WebhookOptions, type Webhooks } from "./webhooks.ts";

export interface OpenOptions extends WebhookOptions {
  masterKey: string;
  /** The folder of their file; null: they end with the process. */
  dataDir: string | null;
  /** Called with what the operator has to know about the file. */
  onProblem: (message: string) => void;
}

/** @throws the system's error when the file cannot be read */
export async function openWebhooks({
  masterKey,
  dataDir,
  onProblem,
  ...options
}: OpenOptions): Promise<Webhooks> {
  if (dataDir === null) return createWebhooks(options);
  const file = openWebhookFile(join(dataDir, "webhooks.json"), masterKey);
  const { webhooks, problems } = await file.read();
  problems.forEach(onProblem);
  return createWebhooks({ ...options, first: webhooks, write: file.write });
}
