/** All streams of this process: their maximum, and a check once a second whether each may continue. */
import { startPeriodicJob } from "#platform/jobs/job.ts";
import type { Accounts } from "../contract/accounts.ts";
import { Refused } from "../contract/refused.ts";
import { type EventReader, EventStream, type StreamEnd } from "./event-stream.ts";
import { CHECK_MS, MAX_STREAMS, MAX_STREAMS_PER_PERSON, ORGANIZATION_SHARE } from "../events/limits.ts";

export interface EventStreams {
  /** Ends the person's oldest stream where they have too many. @throws Refused `unavailable` */
  open: (reader: EventReader) => Promise<ReadableStream<Uint8Array>>;
  /** Checks all now. */
  check: () => Promise<void>;
  /** Ends all, and opens no more. */
  end: () => void;
  readonly size: number;
  /** How streams have ended since the start of this process. */
  readonly ends: Iterable<readonly [StreamEnd, number]>;
  stop: () => Promise<void>;
}

export interface EventStreamLimits {
  streams?: number;
  perPerson?: number;
  /** Default: half of all. */
  perOrganization?: number;
}

export function createEventStreams(accounts: Accounts, limits: EventStreamLimits = {}): EventStreams {
  const streams = createOpenStreams(accounts, limits);
  let isStopping = false;

  function end(): void {
    isStopping = true;
    for (const stream of streams.open) stream.end();
  }

  async function check(): Promise<void> {
    await Promise.all([...streams.open].map((stream) => stream.check()));
  }

  const checking = startPeriodicJob({
    name: "accounts.event-streams",
    everyMs: CHECK_MS,
    run: check,
    onError: (error) =>
      accounts.log.warn("Could not check the clients that read events. Retrying.", { error }),
  });

  return {
    async open(reader) {
      if (isStopping) throw new Refused("unavailable", "the server is stopping; try again in a moment");
      const stream = streams.add(reader);
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
      return streams.open.size;
    },
    ends: streams.ends,
    async stop() {
      end();
      await checking.stop();
    },
  };
}

/** The open streams, and their owners. */
function createOpenStreams(accounts: Accounts, limits: EventStreamLimits) {
  const { streams: maxStreams = MAX_STREAMS, perPerson = MAX_STREAMS_PER_PERSON } = limits;
  const { perOrganization = maxStreams * ORGANIZATION_SHARE } = limits;
  const open = new Set<EventStream>();
  /** The oldest first. */
  const byPerson = new Map<string, Set<EventStream>>();
  const ofOrganizations = new Map<string, number>();
  const ends = new Map<StreamEnd, number>();

  /** Ends a person's oldest stream to make room for one more. @throws Refused `unavailable` */
  function admit(person: string, organizationId: string): void {
    const theirs = byPerson.get(person);
    const [oldest] = theirs ?? [];
    if (oldest && theirs && theirs.size >= perPerson) oldest.replace();
    if (open.size >= maxStreams)
      throw new Refused(
        "unavailable",
        `this server already has ${maxStreams} open event streams; close pages that you do not need`,
      );
    if ((ofOrganizations.get(organizationId) ?? 0) >= perOrganization)
      throw new Refused(
        "unavailable",
        `your organization already has ${perOrganization} open event streams; close pages that you do not need`,
      );
  }

  function add(reader: EventReader): EventStream {
    const { actor } = reader;
    const person = actor.kind === "user" ? actor.userId : actor.tokenId;
    const { organizationId } = reader;
    admit(person, organizationId);
    const theirs = byPerson.get(person) ?? new Set();
    const stream = new EventStream({
      accounts,
      reader,
      onEnd(why) {
        if (!open.delete(stream)) return;
        theirs.delete(stream);
        addTo(ofOrganizations, organizationId, -1);
        if (theirs.size === 0) byPerson.delete(person);
        ends.set(why, (ends.get(why) ?? 0) + 1);
      },
    });
    open.add(stream);
    addTo(ofOrganizations, organizationId, 1);
    byPerson.set(person, theirs.add(stream));
    return stream;
  }

  return { open, ends, add };
}

/** Keys without streams are not kept. */
function addTo(counts: Map<string, number>, key: string, more: number): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
