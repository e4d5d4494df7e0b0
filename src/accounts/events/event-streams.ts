/** All streams of this process: how many there may be, and who asks them once a second whether they go on. */
import { startPeriodicJob } from "#platform/jobs/job.ts";
import type { Accounts } from "../accounts.ts";
import { Refused } from "../refused.ts";
import { type EventReader, EventStream, type StreamEnd } from "./event-stream.ts";
import { CHECK_MS, MAX_STREAMS, MAX_STREAMS_PER_PERSON } from "./limits.ts";

export interface EventStreams {
  /** @throws Refused `resource_exhausted`, `unavailable` */
  open: (reader: EventReader) => Promise<ReadableStream<Uint8Array>>;
  /** Asks all now. */
  check: () => Promise<void>;
  /** Ends all, and opens no other. */
  end: () => void;
  readonly size: number;
  /** How streams have ended since the start of this process. */
  readonly ends: Iterable<readonly [StreamEnd, number]>;
  stop: () => Promise<void>;
}

export interface EventStreamLimits {
  streams?: number;
  perPerson?: number;
}

export function createEventStreams(accounts: Accounts, limits: EventStreamLimits = {}): EventStreams {
  const { streams: maxStreams = MAX_STREAMS, perPerson = MAX_STREAMS_PER_PERSON } = limits;
  const open = new Set<EventStream>();
  const persons = createCounts();
  const ends = new Map<StreamEnd, number>();
  let isStopping = false;

  function end(): void {
    isStopping = true;
    for (const stream of open) stream.end();
  }

  async function check(): Promise<void> {
    await Promise.all([...open].map((stream) => stream.check()));
  }

  const checking = startPeriodicJob({
    name: "accounts.event-streams",
    everyMs: CHECK_MS,
    run: check,
    onError: (error) =>
      accounts.log.warn("Readers of events could not be checked. It is tried again.", { error }),
  });

  return {
    async open(reader) {
      const { actor } = reader;
      const person = actor.kind === "user" ? actor.userId : actor.tokenId;
      if (isStopping) throw new Refused("unavailable", "the server is stopping; come back in a moment");
      if (open.size >= maxStreams) throw tooMany("unavailable", `this server has ${maxStreams}`);
      if (persons.of(person) >= perPerson) throw tooMany("resource_exhausted", `you have ${perPerson}`);
      const stream = new EventStream({
        accounts,
        reader,
        onEnd(why) {
          if (!open.delete(stream)) return;
          persons.add(person, -1);
          ends.set(why, (ends.get(why) ?? 0) + 1);
        },
      });
      open.add(stream);
      persons.add(person, 1);
      try {
        await stream.start();
      } catch (error) {
        stream.end();
        throw error;
      }
      return stream.body;
    },
    check,
    end,
    get size() {
      return open.size;
    },
    ends,
    async stop() {
      end();
      await checking.stop();
    },
  };
}

const tooMany = (code: "unavailable" | "resource_exhausted", who: string) =>
  new Refused(code, `${who} streams of events open already; close pages that you do not need`);

/** How many each has. */
function createCounts() {
  const counts = new Map<string, number>();
  const of = (name: string) => counts.get(name) ?? 0;
  return {
    of,
    add(name: string, change: number) {
      counts.set(name, of(name) + change);
      if (of(name) === 0) counts.delete(name);
    },
  };
}
