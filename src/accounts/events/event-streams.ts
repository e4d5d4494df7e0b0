/** All streams of this process: how many there may be, and who asks them once a second whether they go on. */
import { startPeriodicJob } from "#platform/jobs/job.ts";
import type { Accounts } from "../accounts.ts";
import { Refused } from "../refused.ts";
import { createEventStream, type EventReader, type EventStream, type StreamEnd } from "./event-stream.ts";
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
  const persons = new Map<string, number>();
  const ends = new Map<StreamEnd, number>();
  let isStopping = false;

  async function check(): Promise<void> {
    await Promise.all([...open].map((stream) => stream.check()));
  }

  const checking = startPeriodicJob({
    name: "accounts.event-streams",
    everyMs: CHECK_MS,
    run: check,
    onError: (error) => accounts.log.warn("Readers of events could not be checked. It is tried again.", { error }),
  });

  function count(person: string, change: number): void {
    const streams = (persons.get(person) ?? 0) + change;
    if (streams > 0) persons.set(person, streams);
    else persons.delete(person);
  }

  function admit(person: string): void {
    if (isStopping) throw new Refused("unavailable", "the server is stopping; come back in a moment");
    if (open.size >= maxStreams)
      throw new Refused("unavailable", `this server has ${maxStreams} streams of events already; try again later`);
    if ((persons.get(person) ?? 0) >= perPerson)
      throw new Refused("resource_exhausted", `you have ${perPerson} streams of events open; close some pages`);
  }

  return {
    async open(reader) {
      const { actor } = reader;
      const person = actor.kind === "user" ? actor.userId : actor.tokenId;
      admit(person);
      const stream = createEventStream({
        accounts,
        reader,
        onEnd(why) {
          if (!open.delete(stream)) return;
          count(person, -1);
          ends.set(why, (ends.get(why) ?? 0) + 1);
        },
      });
      open.add(stream);
      count(person, 1);
      try {
        await stream.start();
      } catch (error) {
        stream.end();
        throw error;
      }
      return stream.body;
    },
    check,
    end() {
      isStopping = true;
      for (const stream of open) stream.end();
    },
    get size() {
      return open.size;
    },
    ends,
    async stop() {
      isStopping = true;
      for (const stream of open) stream.end();
      await checking.stop();
    },
  };
}
