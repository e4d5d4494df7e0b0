import { type Context, Hono } from "hono";
import * as z from "zod";
import { readText } from "#platform/http/read-body.ts";
import type { UserActor } from "../contract/actor.ts";
import { Refused } from "../contract/refused.ts";
import { type RequestGuard, readBody } from "../sign-in/request-guard.ts";
import { BASE_BITS, WorkAsked } from "../sign-in/admission/work.ts";
import { requireConfirmed } from "../two-step/require-confirmed.ts";
import { cleanClientText } from "./client-text.ts";
import {
  decideDevice,
  DEVICE_CODE_LIFETIME_MS,
  findDevice,
  POLL_INTERVAL_SECONDS,
  startDevice,
} from "./device-codes.ts";
import { pollDevice } from "./device-token.ts";
import { formatUserCode, readUserCode } from "./user-code.ts";
import { isCrowded, makeRoom } from "./waiting-codes.ts";

const CLIENT_ID = "millrace-cli";
const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";
const MAX_FORM_BYTES = 8 * 1024;
const FORM_TIMEOUT_MS = 10_000;
const MAX_DEVICE_CODE = 200;

/** RFC 6749, 5.2, and RFC 8628, 3.5. */
const ERRORS = {
  authorization_pending: "The login has not been approved yet.",
  slow_down: "Too many requests: wait five seconds longer between requests.",
  access_denied: "The login was denied.",
  expired_token: "The code has expired. Start the login again.",
  invalid_grant: "The device code is unknown, or its token was revoked.",
  invalid_client: `client_id must be ${CLIENT_ID}.`,
  invalid_request: "The request must be a form (application/x-www-form-urlencoded) with each parameter once.",
  unsupported_grant_type: `grant_type must be ${GRANT_TYPE}.`,
  temporarily_unavailable: "The server cannot respond right now. Try again in a moment.",
} as const;
type OAuthError = keyof typeof ERRORS;

const decisionSchema = z.strictObject({ code: z.string().max(100), organization: z.string().max(100) });
const denialSchema = decisionSchema.pick({ code: true });

/** `/oauth/…` */
export function createDeviceRoutes(guard: RequestGuard): Hono {
  const app = new Hono();
  app.route("/", createProgramRoutes(guard));
  app.route("/", createApprovalRoutes(guard));
  return app;
}

/** The program's requests: forms, and errors as in RFC 6749. */
function createProgramRoutes(guard: RequestGuard): Hono {
  const { accounts } = guard;
  const app = new Hono();

  app.post("/oauth/device_authorization", async (context) => {
    const form = await openForm(context);
    if (!(form instanceof URLSearchParams)) return form;
    const address = guard.addressOf(context);
    const hasWorked = await guard.admitByWork(context, "device", async (isOver) =>
      !isOver && (await isCrowded(accounts, address)) ? BASE_BITS : 0,
    );
    if (hasWorked) await makeRoom(accounts, address);
    const said = (name: string) => cleanClientText(form.get(name) ?? "");
    const client = { name: said("client_name"), machine: said("machine"), system: said("system") };
    const { deviceCode, userCode } = await startDevice(accounts, { client, address });
    const shown = formatUserCode(userCode);
    return context.json({
      device_code: deviceCode,
      user_code: shown,
      verification_uri: `${accounts.origin}/device`,
      verification_uri_complete: `${accounts.origin}/device?code=${shown}`,
      expires_in: DEVICE_CODE_LIFETIME_MS / 1000,
      interval: POLL_INTERVAL_SECONDS,
    });
  });

  app.post("/oauth/token", async (context) => {
    const form = await openForm(context);
    if (!(form instanceof URLSearchParams)) return form;
    if (form.get("grant_type") !== GRANT_TYPE) return answerError(context, "unsupported_grant_type");
    const deviceCode = form.get("device_code") ?? "";
    if (deviceCode === "" || deviceCode.length > MAX_DEVICE_CODE)
      return answerError(context, "invalid_grant");
    const address = guard.addressOf(context);
    const poll = await guard.lookUp(context, { limit: "poll", secret: deviceCode }, () =>
      pollDevice(accounts, { deviceCode, address }),
    );
    if (poll === null) return answerError(context, "invalid_grant");
    if ("error" in poll) return answerError(context, poll.error);
    const { token, organization, organizationId, user } = poll;
    return context.json({
      access_token: token,
      token_type: "Bearer",
      organization,
      organization_id: organizationId,
      user,
    });
  });

  app.onError((error, context) => {
    if (!(error instanceof Refused)) throw error;
    if (error instanceof WorkAsked) return askForWork(context, error);
    return error.code === "resource_exhausted"
      ? answerError(context, "slow_down", 429)
      : answerError(context, "temporarily_unavailable", 503);
  });
  return app;
}

/** The requests of the person's browser. */
function createApprovalRoutes(guard: RequestGuard): Hono {
  const { accounts } = guard;
  const app = new Hono();

  app.get("/oauth/device", async (context) => {
    const user = await guard.requireUser(context);
    const found = await findTyped(guard, context, user, context.req.query("code") ?? "");
    const { client, createdAt, expiresAt } = found;
    return context.json({
      user_code: formatUserCode(found.userCode),
      client_name: client.name,
      machine: client.machine,
      system: client.system,
      address: found.address,
      your_address: guard.addressOf(context),
      created_at: new Date(createdAt).toISOString(),
      expires_at: new Date(expiresAt).toISOString(),
    });
  });

  app.post("/oauth/device/approve", async (context) => {
    const { code, organization } = await readBody(guard, context, decisionSchema);
    const user = await guard.requireUser(context);
    const membership = user.memberships.find(
      ({ organizationId, organization: name }) => organizationId === organization || name === organization,
    );
    if (!membership)
      throw new Refused("not_found", "you do not belong to this organization", { field: "organization" });
    const { userCode } = await findTyped(guard, context, user, code);
    await requireConfirmed(accounts, user);
    const { organizationId } = membership;
    await decideDevice(accounts, user, { userCode, organizationId, address: guard.addressOf(context) });
    return context.json({});
  });

  app.post("/oauth/device/deny", async (context) => {
    const { code } = await readBody(guard, context, denialSchema);
    const user = await guard.requireUser(context);
    const { userCode } = await findTyped(guard, context, user, code);
    await decideDevice(accounts, user, { userCode, organizationId: null, address: guard.addressOf(context) });
    return context.json({});
  });
  return app;
}

function answerError(context: Context, error: OAuthError, status: 400 | 429 | 503 = 400): Response {
  return context.json({ error, error_description: ERRORS[error] }, status);
}

/** An older program shows the text, which says what to do; a program that knows the work does it. */
function askForWork(context: Context, { work }: WorkAsked): Response {
  const seconds = context.res.headers.get("Retry-After") ?? "60";
  const description = `Too many logins are being started right now. Run millrace login again in ${seconds} seconds; newer versions of millrace do not have to wait.`;
  return context.json({ error: "temporarily_unavailable", error_description: description, work }, 429);
}

const findTyped = (guard: RequestGuard, context: Context, user: UserActor, typed: string) =>
  guard.lookUpTyped(context, user, () => findDevice(guard.accounts, readUserCode(typed) ?? ""));

/** The form of a program's request, or the error response if the request is not a form. */
async function openForm(context: Context): Promise<URLSearchParams | Response> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(context.req.header("content-type") ?? ""))
    return answerError(context, "invalid_request");
  const body = { maxBytes: MAX_FORM_BYTES, timeoutMs: FORM_TIMEOUT_MS };
  const form = new URLSearchParams(await readText(context.req.raw, body));
  if (new Set(form.keys()).size !== form.size) return answerError(context, "invalid_request");
  if (form.get("client_id") !== CLIENT_ID) return answerError(context, "invalid_client");
  return form;
}
