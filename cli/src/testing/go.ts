/** For tests: Go's side of the pipe. */
import { PassThrough } from "node:stream";
import { createHash } from "node:crypto";
import { makeFolder, openLocalStore } from "../gocache/local-store.ts";
import { openRemoteStore } from "../gocache/remote-store.ts";
import { serveGo } from "../gocache/serve.ts";

export interface GoAnswer {
  ID: number;
  Err?: string;
  Miss?: boolean;
  OutputID?: string;
  Size?: number;
  Time?: string;
  DiskPath?: string;
}

export interface TestGo {
  greeting: () => Promise<GoAnswer>;
  /** @param action hexadecimal */
  get: (action: string) => Promise<GoAnswer>;
  put: (action: string, bytes: Buffer) => Promise<GoAnswer>;
  close: () => Promise<void>;
  /** Ends the pipe as if Go had been killed. */
  end: () => void;
  warnings: string[];
  notes: string[];
}

export function startGo(options: {
  folder: string;
  /** Undefined if there is no server. */
  origin: string | undefined;
  finishMs?: number;
}): TestGo {
  const { folder, origin, finishMs } = options;
  const input = new PassThrough();
  const waiting = new Map<number, (answer: GoAnswer) => void>();
  const early: GoAnswer[] = [];
  const [warnings, notes]: [string[], string[]] = [[], []];
  let lastId = 0;
  const store = openLocalStore(folder, (line) => void warnings.push(line));
  makeFolder(folder);
  const say = {
    warn: (line: string) => void warnings.push(line),
    note: (line: string) => void notes.push(line),
  };
  const openRemote = async () =>
    origin === undefined
      ? undefined
      : openRemoteStore({
          origin,
          token: "mr_user_of-a-test",
          env: {},
          ...say,
          ...(finishMs === undefined ? {} : { finishMs }),
        });
  const take = (line: string): void => {
    const answer = JSON.parse(line) as GoAnswer;
    const resolve = waiting.get(answer.ID);
    waiting.delete(answer.ID);
    if (resolve) resolve(answer);
    else early.push(answer);
  };
  const served = serveGo({ input, answer: take, store, openRemote, note: say.note });

  function ask(fields: object, body?: Buffer): Promise<GoAnswer> {
    const id = ++lastId;
    const answered = new Promise<GoAnswer>((resolve) => waiting.set(id, resolve));
    input.write(`${JSON.stringify({ ID: id, ...fields })}\n\n`);
    if (body && body.length > 0) input.write(`"${body.toString("base64")}"\n`);
    // If the helper ends, Go must not wait forever.
    return Promise.race([answered, served.then(() => answered)]);
  }

  const base64 = (hex: string): string => Buffer.from(hex, "hex").toString("base64");
  return {
    // The helper writes it before the first request.
    greeting: () => Promise.resolve(early[0]!),
    get: (action) => ask({ Command: "get", ActionID: base64(action) }),
    put(action, bytes) {
      const OutputID = createHash("sha256").update(bytes).digest("base64");
      return ask({ Command: "put", ActionID: base64(action), OutputID, BodySize: bytes.length }, bytes);
    },
    async close() {
      await ask({ Command: "close" });
      await served;
      store.close();
    },
    end: () => input.end(),
    warnings,
    notes,
  };
}
