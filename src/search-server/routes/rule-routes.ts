import { Hono } from "hono";
import { type Rule, checkRuleUid, parseRuleChange, ruleNotFound } from "../pins/rule.ts";
import { readJson } from "../payloads/request-body.ts";
import { closedObject, count, flag, shortText } from "../protocol/fields.ts";
import { MAX_RULE_TEXT_LENGTH } from "../protocol/limits.ts";
import { snakeCase, validate, type ValidationContext } from "../protocol/validate.ts";
import { QueryParams } from "./query-params.ts";
import type { AdminRouteOptions } from "./index-routes.ts";
import { taskAnswer } from "./task-answer.ts";

const listSchema = closedObject({
  offset: count.optional(),
  limit: count.optional(),
  filter: closedObject({
    query: shortText(MAX_RULE_TEXT_LENGTH).nullish(),
    active: flag.nullish(),
  }).nullish(),
});

const listContext: ValidationContext = {
  codeOf: (path) =>
    path.length > 0
      ? `invalid_dynamic_search_rule_${path.map(String).map(snakeCase).join("_")}`
      : "bad_request",
};

const DEFAULT_LIMIT = 20;

/** `/dynamic-search-rules`: documents that have a fixed place in the hits of some searches. */
export function ruleRoutes({ content, limits }: Pick<AdminRouteOptions, "content" | "limits">): Hono {
  const { rules, features } = content;
  const app = new Hono();
  for (const path of ["/dynamic-search-rules", "/dynamic-search-rules/:uid"])
    app.use(path, async (_, next) => {
      features.require("dynamicSearchRules", "Using the `/dynamic-search-rules` routes");
      await next();
    });

  app.post("/dynamic-search-rules", async (context) => {
    const body = validate(listSchema, await readJson(context, limits.searchBodyBytes), listContext);
    const { offset = 0, limit = DEFAULT_LIMIT } = body;
    const all = rules.list().filter(isWanted(body.filter ?? {}));
    return context.json({ results: all.slice(offset, offset + limit), offset, limit, total: all.length });
  });

  app.get("/dynamic-search-rules/:uid", (context) => {
    const uid = context.req.param("uid");
    checkRuleUid(uid);
    const rule = rules.get(uid);
    if (!rule) throw ruleNotFound(uid);
    return context.json(rule);
  });

  app.patch("/dynamic-search-rules/:uid", async (context) => {
    const uid = context.req.param("uid");
    checkRuleUid(uid);
    const metadata = metadataOf(context.req.url);
    const change = parseRuleChange(await readJson(context, limits.searchBodyBytes));
    content.checkWritable(change.actions?.flatMap(({ selector }) => selector.indexUid ?? []) ?? []);
    const work = { kind: "changeRule" as const, uid, change };
    return taskAnswer(
      context,
      await content.enqueue({
        indexUid: null,
        type: "dsrUpdate",
        details: { updatedRules: 1 },
        work,
        ...metadata,
      }),
    );
  });

  app.delete("/dynamic-search-rules/:uid", async (context) => {
    const uid = context.req.param("uid");
    checkRuleUid(uid);
    const work = { kind: "removeRule" as const, uid };
    return taskAnswer(
      context,
      await content.enqueue({ indexUid: null, type: "dsrUpdate", work, ...metadataOf(context.req.url) }),
    );
  });

  app.delete("/dynamic-search-rules", async (context) => {
    const work = { kind: "clearRules" as const };
    return taskAnswer(
      context,
      await content.enqueue({ indexUid: null, type: "dsrClear", work, ...metadataOf(context.req.url) }),
    );
  });
  return app;
}

function metadataOf(url: string): { customMetadata?: string } {
  const customMetadata = new QueryParams(url, "dynamic_search_rule", ["customMetadata"]).text(
    "customMetadata",
  );
  return customMetadata === null ? {} : { customMetadata };
}

/** Every word of the filter is in the rule's description or in the words of its condition. */
function isWanted({
  query,
  active,
}: {
  query?: string | null | undefined;
  active?: boolean | null | undefined;
}): (rule: Rule) => boolean {
  const wanted = (query ?? "").toLowerCase().split(/\s+/);
  return (rule) => {
    const text = `${rule.description ?? ""} ${rule.conditions.query?.words ?? ""}`.toLowerCase();
    return (active ?? rule.active) === rule.active && wanted.every((word) => text.includes(word));
  };
}
