import {
  connectFrames,
  END_HEADERS,
  frame,
  headerBlock,
  request,
  requestLines,
  reset,
  settings,
  TYPE,
} from "#platform/http/raw-frames.ts";
import type { Attack, Stage } from "../attack.ts";
import { inParallel, send } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";

type Session = Awaited<ReturnType<typeof connectFrames>>;
type Strike = (session: Session) => Promise<void>;

const STREAMS = 100;
const ids = Array.from({ length: STREAMS }, (_, at) => 2 * at + 1);
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

export const sessions: Attack = {
  item: 19,
  name: "HTTP/2",
  bound: "Sessions that open, reset, ping or withhold windows take little memory and keep no one waiting.",
  async run(stage) {
    const server = await stage.server();
    const count = stage.isShort ? 20 : 60;
    await crowd(stage, server, { name: "readers without a window", count, values: { 4: 0 } }, readNothing);
    await crowd(stage, server, { name: "rapid resets", count }, resetRapidly);
    await crowd(stage, server, { name: "pings and settings that are read", count }, pingOn);
    await crowd(stage, server, { name: "uploads that never come", count }, uploadNothing);
    await crowd(stage, server, { name: "headers without an end", count }, continueOn);
  },
};

interface Crowd {
  name: string;
  count: number;
  values?: Record<number, number>;
}

/** Half of the sessions belong to one client. */
async function crowd(stage: Stage, server: RunningServer, { name, count, values }: Crowd, strike: Strike) {
  const opened: Session[] = [];
  const title = `${count} sessions: ${name}`;
  const { result: pages, figure } = await stage.measure(server, title, async () => {
    await inParallel(count, 16, async (at) => {
      const session = await connectFrames(server.port, {
        ...(values && { values }),
        from: stage.address(at % 2 ? at : 0),
      });
      opened.push(session);
      await strike(session);
    });
    return inParallel(5, 1, (at) => send(server.port, { path: "/docs", from: stage.address(5000 + at) }));
  });
  const answered = pages.filter(({ status }) => status === 200).length;
  const ended = opened.filter(({ socket }) => socket.destroyed).length;
  stage.check(
    answered === pages.length,
    `${title}: newcomers were answered ${pages.map(({ status, failure }) => failure ?? status).join(", ")}`,
  );
  stage.report(title, `${answered} of ${pages.length} newcomers answered, ${ended} sessions cut off`, figure);
  for (const { socket } of opened) socket.destroy();
}

async function readNothing(session: Session): Promise<void> {
  session.send(...ids.map((id) => request(id, `/indexes/docs/search?q=cache+${id}`)));
  await nextTurn();
}

async function resetRapidly(session: Session): Promise<void> {
  for (let at = 0; at < 2000 && !session.socket.destroyed; at += 1) {
    const id = 2 * at + 1;
    session.send(request(id, "/docs"), reset(id));
    if (at % 100 === 0) await nextTurn();
  }
}

async function pingOn(session: Session): Promise<void> {
  const pings = Buffer.concat(
    Array.from({ length: 100 }, () => [frame(TYPE.ping, 0, 0, Buffer.alloc(8)), settings({ 4: 1 })]).flat(),
  );
  for (let at = 0; at < 50 && !session.socket.destroyed; at += 1) {
    session.send(pings);
    await nextTurn();
  }
}

async function uploadNothing(session: Session): Promise<void> {
  const lines = requestLines("/multi-search", { ":method": "POST", "content-type": "application/json" });
  session.send(...ids.map((id) => frame(TYPE.headers, END_HEADERS, id, headerBlock(lines))));
  session.send(...ids.map((id) => frame(TYPE.data, 0, id, Buffer.from("{"))));
  await nextTurn();
}

async function continueOn(session: Session): Promise<void> {
  session.send(frame(TYPE.headers, 0, 1, headerBlock(requestLines("/docs"))));
  const more = frame(TYPE.continuation, 0, 1, headerBlock({ "x-more": "a".repeat(1000) }));
  for (let at = 0; at < 100 && !session.socket.destroyed; at += 1) {
    session.send(more);
    await nextTurn();
  }
}
