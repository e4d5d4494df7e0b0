/** `/app/:organization/events` and `/app/:organization/first-run` */
import { type Context, Hono } from "hono";
import { type AddressOf, connectionAddress } from "#platform/http/addresses/client-address.ts";
import type { Accounts } from "../contract/accounts.ts";
import type { Caller } from "../changes/change-records.ts";
import { findOrganization } from "../changes/find-organization.ts";
import { type Callers, createCallers, TooManyRequestsError } from "../identity/callers.ts";
import { credentialsOf } from "../identity/identify.ts";
import { tooMany } from "../sign-in/admission/admission.ts";
import { answerRefusals } from "../sign-in/request-guard.ts";
import { readCursor } from "../events/event-cursor.ts";
import { createEventStreams, type EventStreamLimits, type EventStreams } from "./event-streams.ts";
import { readFirstRun, type RoomSteps } from "./first-run.ts";
import { readLatestEvents } from "./read-events.ts";
import { connectionOf } from "#platform/http/connections/reader-connection.ts";

const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  // Otherwise proxies would buffer some kilobytes first.
  "X-Accel-Buffering": "no",
};

export interface EventRoutes {
  app: Hono;
  streams: EventStreams;
}

export interface EventRouteOptions extends EventStreamLimits {
  /** Identifies callers and limits how often they may ask. Default: a limit for wrong tokens only. */
  callers?: Callers;
  /** Default: the connection's address. */
  addressOf?: AddressOf;
  /** Steps of the checklist in addition to those of accounts; shown to anyone who may read the organization. */
  roomSteps?: RoomSteps;
}

export function createEventRoutes(
  accounts: Accounts,
  {
    callers = createCallers(accounts),
    addressOf = connectionAddress,
    roomSteps,
    ...limits
  }: EventRouteOptions = {},
): EventRoutes {
  const streams = createEventStreams(accounts, limits);
  const app = new Hono();
  answerRefusals(app, { accounts });

  app.get("/app/:organization/events", async (context) => {
    const { credentials, actor, organizationId } = await admitReader(
      { accounts, callers },
      context,
      addressOf(context),
    );
    // A response to HEAD has no reader, so nothing would end the stream.
    if (context.req.method === "HEAD") return context.body(null, 200, STREAM_HEADERS);
    const text = context.req.header("last-event-id") || context.req.query("since") || "";
    // A text that is not a cursor comes from another server: everything is read again.
    const since = text === "" ? null : (readCursor(text) ?? { id: 0, time: 0 });
    const connection = connectionOf(context);
    const body = await streams.open({ credentials, actor, organizationId, since, connection });
    return context.body(body, 200, STREAM_HEADERS);
  });

  app.get("/app/:organization/first-run", async (context) => {
    const { actor, organizationId } = await admitReader({ accounts, callers }, context, addressOf(context));
    const [steps, latest] = await Promise.all([
      readFirstRun(accounts, actor, organizationId, roomSteps),
      readLatestEvents(accounts, actor, organizationId),
    ]);
    return context.json({ steps, heard: latest });
  });
  return { app, streams };
}

/** Identifies the caller and the organization; a caller who may not read it gets the same answer as if it did not exist. */
async function admitReader(
  { accounts, callers }: { accounts: Accounts; callers: Callers },
  context: Context,
  address: string | null,
) {
  const { bearer, cookie } = credentialsOf(accounts, context.req.raw.headers);
  const credentials = { bearer, cookie };
  const actor = await callers
    .admit(credentials, address, () => context.req.raw.signal.aborted)
    .catch((error: unknown) => {
      throw error instanceof TooManyRequestsError ? tooMany(context, error.seconds) : error;
    });
  const caller: Caller = { actor, address: address ?? "" };
  const { id: organizationId } = await findOrganization(accounts, caller, {
    reference: context.req.param("organization"),
    action: "organization.read",
  });
  return { credentials, actor, organizationId };
}
