/**
 * Records the streams of a real model for the questions and passages in `recordings/`; `said` is empty until a person has judged them.
 * Reads ANSWERS_URL, ANSWERS_MODEL, ANSWERS_API and ANSWERS_API_KEY, as the server does.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { anthropic } from "../model/anthropic.ts";
import { openai } from "../model/openai.ts";
import { writePrompt } from "../prompt.ts";
import type { Recording } from "./recording.ts";

const {
  ANSWERS_URL: url,
  ANSWERS_MODEL: model,
  ANSWERS_API: api = "openai",
  ANSWERS_API_KEY: key,
} = process.env;
if (!url || !model || (api !== "openai" && api !== "anthropic"))
  throw new Error("Set ANSWERS_URL and ANSWERS_MODEL, and ANSWERS_API to openai or anthropic.");
const protocol = { openai, anthropic }[api];
const folder = join(import.meta.dirname, "recordings");
for (const name of readdirSync(folder)) {
  const file = join(folder, name);
  const recording = JSON.parse(readFileSync(file, "utf8")) as Recording;
  const prompt = writePrompt("Millrace", recording.question, recording.passages);
  const response = await fetch(url.replace(/\/$/, "") + protocol.path, {
    method: "POST",
    headers: { "content-type": "application/json", ...protocol.headers(key) },
    body: JSON.stringify(protocol.body(model, prompt)),
    redirect: "error",
  });
  if (!response.ok) throw new Error(`${name}: the model responded with status ${response.status}.`);
  const recorded: Recording = { ...recording, api, model, said: [], stream: await response.text() };
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
  console.log(name);
}
