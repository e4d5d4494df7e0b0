/** Answers Go until it sends `close`: a `get` from this machine, else from the server; a `put` to both. */
import { type Entry, formatTime, ID, nowInNanoseconds } from "./entry.ts";
import type { Draft } from "./draft.ts";
import type { LocalEntry, LocalStore } from "./local-store.ts";
import { type GoRequest, readRequests } from "./read-requests.ts";
import type { RemoteStore } from "./remote-store.ts";

export interface ServeOptions {
  input: AsyncIterable<Buffer>;
  /** One line for Go. */
  answer: (line: string) => void;
  store: LocalStore;
  /** Opens the server at the first call; undefined if there is no server. */
  openRemote: () => Promise<RemoteStore | undefined>;
  /** One line for users who asked for more output. */
  note: (line: string) => void;
}

/** The server is opened when it is needed: most builds on a workstation find everything on its disk. */
interface Places extends Pick<ServeOptions, "store" | "note"> {
  remote: Once<RemoteStore | undefined>;
}

interface Once<Value> {
  open: () => Promise<Value>;
  /** Undefined if it was never opened. */
  opened: () => Promise<Value> | undefined;
}

function once<Value>(open: () => Promise<Value>): Once<Value> {
  let opened: Promise<Value> | undefined;
  return { open: () => (opened ??= open()), opened: () => opened };
}

interface Counts {
  gets: number;
  local: number;
  remote: number;
  puts: number;
}

/** Counts the bytes of a `put` on their way to the disk. */
interface PutSink {
  draft: Draft;
  size: number;
  write: (bytes: Uint8Array) => void;
}

/** @throws Error if the input is not from Go */
export async function serveGo(options: ServeOptions): Promise<void> {
  const { input, store, note } = options;
  const counts: Counts = { gets: 0, local: 0, remote: 0, puts: 0 };
  const remote = once(options.openRemote);
  const places: Places = { store, remote, note };
  const reply = (fields: object) => options.answer(`${JSON.stringify(fields)}\n`);
  reply({ ID: 0, KnownCommands: ["get", "put", "close"] });
  for await (const { request, sink } of readRequests(input, (put) => openSink(store, put))) {
    const { id, command } = request;
    if (command === "close") {
      await (await remote.opened())?.close();
      const { gets, puts, ...hits } = counts;
      note(
        `${gets} gets, ${hits.local + hits.remote} hits (${hits.local} local, ${hits.remote} remote), ${puts} puts`,
      );
      return reply({ ID: id });
    }
    if (command === "get") void answerGet(request, places, counts).then(reply);
    else if (sink) reply(await answerPut(request, sink, places, counts));
    else reply({ ID: id, Err: `millrace gocache has no command ${command}` });
  }
}

async function answerGet({ id, action }: GoRequest, places: Places, counts: Counts): Promise<object> {
  counts.gets++;
  const local = ID.test(action) ? places.store.find(action) : undefined;
  const found = local ?? (await findRemote(action, places));
  const place = local ? "local" : "remote";
  if (found) counts[place]++;
  const short = action.slice(0, 8);
  places.note(found ? `hit ${short} ${place}` : `miss ${short}`);
  if (!found) return { ID: id, Miss: true };
  const { output, size, time, path } = found;
  return {
    ID: id,
    OutputID: Buffer.from(output, "hex").toString("base64"),
    Size: size,
    Time: formatTime(time),
    DiskPath: path,
  };
}

async function findRemote(action: string, { store, remote }: Places): Promise<LocalEntry | undefined> {
  const server = await remote.open();
  const found = await server?.find(action);
  if (!server || !found) return undefined;
  const draft = store.open(found.output);
  if (!(await server.read(action, found, draft))) {
    draft.discard();
    return undefined;
  }
  const path = draft.keep(action, found);
  return path === undefined ? undefined : { ...found, path };
}

function openSink(store: LocalStore, { output }: GoRequest): PutSink {
  const draft = store.open(output);
  return {
    draft,
    size: 0,
    write(bytes) {
      this.size += bytes.length;
      draft.write(bytes);
    },
  };
}

async function answerPut(
  { id, action, output }: GoRequest,
  { draft, size }: PutSink,
  { remote }: Places,
  counts: Counts,
): Promise<object> {
  counts.puts++;
  const entry: Entry = { output, size, time: nowInNanoseconds() };
  const path = ID.test(action) && ID.test(output) ? draft.keep(action, entry) : undefined;
  if (path === undefined) {
    draft.discard();
    return { ID: id, Err: "the output could not be written to this machine's disk" };
  }
  void remote.open().then((server) => server?.upload({ action, entry, path }));
  return { ID: id, DiskPath: path };
}
