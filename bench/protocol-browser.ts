/** A browser that is driven by its protocol alone, for figures that a test tool's own scripts would change. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowsers } from "../scripts/checks/browser.ts";

export interface TraceEvent {
  name: string;
  tid: number;
  pid: number;
  ph: string;
  tdur?: number;
  args?: { name?: string };
}

/** What the programs here read of an answer. */
interface Answer {
  browserContextId?: string;
  targetId?: string;
  sessionId?: string;
  result?: { value?: unknown };
}

interface Message {
  id?: number;
  method?: string;
  result?: Answer;
  params?: { value?: TraceEvent[] };
}

/** A new page has loaded by then, and has preloaded what it preloads. */
const LOADED_MS = 2500;

export function wait(ms: number) {
  return new Promise((settle) => setTimeout(settle, ms));
}

export async function openBrowser() {
  const { address, end } = await startBrowser();
  const { send, next, takeEvents, close } = await connect(address);
  return {
    openPage: (url: string) => openPage(send, url),
    async trace(act: () => Promise<void>): Promise<TraceEvent[]> {
      takeEvents();
      const traceConfig = { includedCategories: ["toplevel", "__metadata"] };
      await send("Tracing.start", { traceConfig, transferMode: "ReportEvents" });
      await act();
      const ended = next("Tracing.tracingComplete");
      await send("Tracing.end");
      await ended;
      return takeEvents();
    },
    async close() {
      close();
      await end();
    },
  };
}

async function startBrowser() {
  const folder = mkdtempSync(join(tmpdir(), "protocol-browser-"));
  const flags = ["--headless=new", "--no-sandbox", "--remote-debugging-port=0", `--user-data-dir=${folder}`];
  const child = spawn(findBrowsers().whole, flags, { stdio: ["ignore", "ignore", "pipe"] });
  const address = await new Promise<string>((settle) => {
    let text = "";
    child.stderr.on("data", (data: Buffer) => {
      text += data.toString();
      const [found] = /ws:\/\/\S+/.exec(text) ?? [];
      if (found) settle(found);
    });
  });
  return {
    address,
    async end() {
      const ended = new Promise((settle) => child.once("exit", settle));
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Send = (method: string, params?: object, sessionId?: string) => Promise<Answer>;

async function connect(address: string) {
  const socket = new WebSocket(address);
  await new Promise((settle) => socket.addEventListener("open", settle));
  let last = 0;
  let events: TraceEvent[] = [];
  const waiting = new Map<number | string, (result: Answer) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, method = "", result = {}, params } = JSON.parse(String(data)) as Message;
    if (method === "Tracing.dataCollected") events.push(...(params?.value ?? []));
    waiting.get(id ?? method)?.(result);
  });
  const next = (key: number | string) => new Promise<Answer>((settle) => waiting.set(key, settle));
  const send: Send = (method, params = {}, sessionId) => {
    last += 1;
    socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    return next(last);
  };
  const takeEvents = () => {
    const taken = events;
    events = [];
    return taken;
  };
  return { send, next, takeEvents, close: () => socket.close() };
}

async function openPage(send: Send, url: string) {
  const { browserContextId } = await send("Target.createBrowserContext");
  const size = { width: 1440, height: 900 };
  const { targetId } = await send("Target.createTarget", { url: "about:blank", browserContextId, ...size });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  // The question about consent is not part of what is measured.
  const source = `localStorage["millrace-consent"] = "necessary"`;
  await send("Page.enable", {}, sessionId);
  await send("Page.addScriptToEvaluateOnNewDocument", { source }, sessionId);
  await send("Page.navigate", { url }, sessionId);
  await wait(LOADED_MS);
  await send("Page.disable", {}, sessionId);
  const key = (type: string, name: string, modifiers: number) => {
    const text = type === "keyDown" && !modifiers ? { text: name } : {};
    return send("Input.dispatchKeyEvent", { type, key: name, modifiers, ...text }, sessionId);
  };
  return {
    async evaluate(expression: string): Promise<unknown> {
      const asked = { expression, awaitPromise: true, returnByValue: true };
      return (await send("Runtime.evaluate", asked, sessionId)).result?.value;
    },
    /** Does not wait until the page has handled it. */
    async press(name: string, modifiers = 0) {
      void key("keyDown", name, modifiers);
      await wait(5);
      void key("keyUp", name, modifiers);
    },
    close: () => send("Target.disposeBrowserContext", { browserContextId }),
  };
}
