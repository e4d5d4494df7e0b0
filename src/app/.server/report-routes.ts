/** `/console/api/…`: telemetry reports as JSON or CSV, for operators only. */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import * as z from "zod";
import {
  DAY_MS,
  type FlagReport,
  type Range,
  type SearchAction,
  SEARCH_KINDS,
  type SurveyReport,
  type Telemetry,
  type TelemetryConfig,
} from "#telemetry/index.ts";
import { EditError } from "./actions/edit-error.ts";
import { actionSchema, type RunSearchAction } from "./actions/search-actions.ts";
import type { TrySearchAction } from "./actions/try-action.ts";
import type { AddressOf } from "#platform/http/addresses/client-address.ts";
import { toCsv } from "#platform/text/csv.ts";
import { addExplainRoute, type AskSearch } from "./explain-routes.ts";
import { checkChange, type CheckOperator, type Refusal } from "./guard.ts";
import type { SearchProposals } from "./proposal-routes.ts";
import { readChange } from "./read-change.ts";

const DEFAULT_DAYS = 7;
const MAX_DAYS = 400;
const MAX_ACTION_BYTES = 10_000;

export interface ReportOptions {
  telemetry: Pick<Telemetry, "store" | "health">;
  /** The flags and surveys that the reports name. */
  config: Pick<TelemetryConfig, "flags" | "surveys">;
  checkOperator: CheckOperator;
  addressOf: AddressOf;
  origin: string;
  clock: () => number;
  runAction: RunSearchAction;
  /** Predicts the effect of an action. */
  tryAction: TrySearchAction;
  proposals: SearchProposals;
  /** Answers searches without counting them. */
  search?: AskSearch;
}

const time = z.coerce.number().int().min(0).max(8.64e15);
const rangeSchema = z.object({ from: time.optional(), to: time.optional() });

class BadRequest extends Error {}

export function reportRoutes(options: ReportOptions): Hono {
  const { telemetry, clock } = options;
  const app = new Hono();
  app.use("/console/api/*", compress());
  app.use("/console/api/*", admitOperators(options));
  for (const { path, columns, read } of listReports(options))
    app.get(`/console/api/${path}`, (context) =>
      answer(context, async () => {
        const rows = await read(readRange(context, clock()), context);
        return wantsCsv(context)
          ? csv(context, path.replace("/", "-"), toCsv(rows, columns))
          : context.json(rows);
      }),
    );
  addSingleReports(app, options);
  addExplainRoute(app, options.search);
  app.get("/console/api/health", async (context) => context.json(await telemetry.health()));
  const takes = (path: string, run: RunAction) =>
    app.post(`/console/api/searches/${path}`, (context) => answer(context, () => runOn(context, run)));
  takes("actions", options.runAction);
  takes("try", options.tryAction);
  takes("effect", options.proposals.measure);
  // Otherwise the console's page would answer, as at every other address below /console.
  app.all("/console/api/*", (context) => context.json({ message: "There is no such report." }, 404));
  return app;
}

/** The signal is aborted when the operator no longer waits. */
type RunAction = (action: SearchAction, signal: AbortSignal) => Promise<object>;

/** @throws BadRequest, EditError */
async function runOn(context: Context, run: RunAction): Promise<Response> {
  const read = await readChange(context, MAX_ACTION_BYTES);
  if (read instanceof Response) return read;
  const action = actionSchema.safeParse(read.json);
  if (action.success) return context.json(await run(action.data, context.req.raw.signal));
  const issue = action.error.issues[0];
  throw new BadRequest(`${issue?.path.join(".") || "The action"} ${issue?.message ?? "is not valid"}.`);
}

function admitOperators({ checkOperator, addressOf, origin }: ReportOptions): MiddlewareHandler {
  return async (context, next) => {
    const { headers, signal } = context.req.raw;
    const verdict = await checkOperator(headers, addressOf(context), () => signal.aborted);
    if (!verdict.isAllowed) return refuse(context, verdict);
    if (context.req.method !== "GET" && context.req.method !== "HEAD") {
      const change = checkChange(context, origin);
      if (!change.isAllowed) return refuse(context, change);
    }
    await next();
    context.res.headers.set("Cache-Control", "no-store");
    return undefined;
  };
}

function refuse(context: Context, { code, message, status, retryAfterSeconds }: Refusal): Response {
  if (retryAfterSeconds !== undefined) context.header("Retry-After", String(retryAfterSeconds));
  return context.json({ code, message }, status);
}

interface ListReport {
  path: string;
  /** Columns of the report's CSV. */
  columns: readonly string[];
  read: (range: Range, context: Context) => Promise<object[]>;
}

function listReports(options: ReportOptions): ListReport[] {
  return [...readerReports(options), ...configuredReports(options)];
}

/** Reports on the readers' activity. */
function readerReports({ telemetry: { store }, proposals }: ReportOptions): ListReport[] {
  return [
    {
      path: "searches",
      columns: ["query", "count", "withoutHits", "measured", "clicks", "meanPosition", "lastDay"],
      read(range, context) {
        const kind = z.enum(SEARCH_KINDS).safeParse(context.req.query("kind") ?? "top");
        if (!kind.success) throw new BadRequest(`kind must be one of ${SEARCH_KINDS.join(", ")}.`);
        return store.ask("searches", { ...range, kind: kind.data });
      },
    },
    {
      path: "searches/proposals",
      columns: ["query", "alike", "count", "lastDay", "outcome", "proposals"],
      read: (range, context) => proposals.list(range, context.req.raw.signal),
    },
    {
      path: "pages",
      columns: ["path", "views", "yes", "no", "exitsToSearch", "comments"],
      read: (range) => store.ask("pages", range),
    },
    {
      path: "missing",
      columns: ["path", "count", "lastDay", "from"],
      read: (range) => store.ask("missing", range),
    },
    {
      path: "errors",
      columns: [
        "fingerprint",
        "type",
        "value",
        "culprit",
        "platform",
        "count",
        "firstAt",
        "lastAt",
        "releases",
      ],
      read: (range) => store.ask("errors", range),
    },
    {
      path: "recordings",
      columns: ["sessionId", "startedAt", "endedAt", "paths", "bytes", "searches", "errors"],
      read: (range) => store.ask("recordings", range),
    },
  ];
}

/** One row for each survey and each flag of `site.config.ts`, whether or not a reader has met it. */
function configuredReports({ telemetry: { store }, config }: ReportOptions): ListReport[] {
  return [
    {
      path: "surveys",
      columns: ["id", "question", "isActive", "shown", "dismissed", "counts", "answers"],
      async read(range) {
        const ids = config.surveys.map((survey) => survey.id);
        const answers = await store.ask("surveyAnswers", { ...range, ids });
        const none = { shown: 0, dismissed: 0, answers: [], counts: [] };
        return config.surveys.map(({ id, question, isActive }, index): SurveyReport => ({
          id,
          question,
          isActive,
          ...none,
          ...answers[index],
        }));
      },
    },
    {
      path: "flags",
      columns: ["key", "description", "isActive", "percentage", "values"],
      async read(range) {
        const values = await store.ask("flagValues", range);
        return config.flags.map(({ key, description, isActive, percentage }): FlagReport => ({
          key,
          description,
          isActive,
          percentage,
          values: values.filter((row) => row.key === key).map(({ value, count }) => ({ value, count })),
        }));
      },
    },
  ];
}

function addSingleReports(app: Hono, { telemetry: { store }, clock }: ReportOptions): void {
  app.get("/console/api/overview", (context) =>
    answer(context, async () => {
      const report = await store.ask("overview", readRange(context, clock()));
      if (!wantsCsv(context)) return context.json(report);
      return csv(context, "overview", toCsv(report.days, ["at", "views", "searches"]));
    }),
  );
  app.get("/console/api/errors/:fingerprint", (context) =>
    answer(context, async () => {
      const fingerprint = context.req.param("fingerprint");
      const report = await store.ask("error", { ...readRange(context, clock()), fingerprint });
      return report ? context.json(report) : context.json({ message: "No such error is stored." }, 404);
    }),
  );
  app.get("/console/api/recordings/:sessionId", (context) =>
    answer(context, async () => {
      const report = await store.ask("recording", { sessionId: context.req.param("sessionId") });
      return report ? context.json(report) : context.json({ message: "No such recording is stored." }, 404);
    }),
  );
}

const wantsCsv = (context: Context) => context.req.query("format") === "csv";

function csv(context: Context, name: string, text: string): Response {
  return context.body(text, 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${name}.csv"`,
  });
}

/** @throws BadRequest */
function readRange(context: Context, now: number): Range {
  const parsed = rangeSchema.safeParse({ from: context.req.query("from"), to: context.req.query("to") });
  if (!parsed.success) throw new BadRequest("from and to must be milliseconds since 1970.");
  const to = parsed.data.to ?? now;
  const from = parsed.data.from ?? to - DEFAULT_DAYS * DAY_MS;
  if (from >= to) throw new BadRequest("from must be before to.");
  if (to - from > MAX_DAYS * DAY_MS) throw new BadRequest(`A range is at most ${MAX_DAYS} days.`);
  return { from, to };
}

async function answer(context: Context, run: () => Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof BadRequest || error instanceof EditError)
      return context.json({ message: error.message }, 400);
    const reason = error instanceof Error ? error.message : String(error);
    return context.json({ message: `The report cannot be read: ${reason}` }, 503);
  }
}
