/**
 * The room, in two parts: the model that the operator names, which the search mentions in its answers, and the answers, which
 * need the search and the pages. Without a model there is nothing of either.
 */
import { Hono } from "hono";
import { siteConfig } from "#config";
import { createLibrary, type LibraryContent } from "#docs/mcp/library.ts";
import type { RoomPlan } from "#platform/house/plan.ts";
import { createRoom, type Mount } from "#platform/house/room.ts";
import type { Log } from "#platform/log/log.ts";
import { type AnswerRoutes, createAnswerRoutes } from "./answer-routes.ts";
import { TOKENS_PER_DAY } from "./contract/limits.ts";
import { connectModel } from "./model/connect-model.ts";
import type { Model } from "./model/model.ts";
import { findPassages } from "./passages/find-passages.ts";
import { createVocabulary } from "./passages/vocabulary.ts";
import { answerVariables } from "./variables.ts";

/** In answers to searches: the model's name and its host, by which a page knows that it can ask for an answer, and whom. */
const MODEL_HEADER = "Millrace-Answers";

interface GivenModel {
  /** Null: the operator names none. */
  model: Model | null;
  tokensPerDay: number;
  searchHeaders: Readonly<Record<string, string>>;
}

export const modelRoom: RoomPlan<object, GivenModel, typeof answerVariables> = {
  variables: answerVariables,
  migrations: [],
  sealed: [],
  open(_floor, env) {
    const { ANSWERS_URL: url, ANSWERS_MODEL: name, ANSWERS_API: api = "openai", ANSWERS_API_KEY: key } = env;
    const { ANSWERS_TOKENS_PER_DAY: tokensPerDay = TOKENS_PER_DAY } = env;
    const model = url && name ? connectModel({ url, name, api, key }) : null;
    const searchHeaders: GivenModel["searchHeaders"] = {
      ...(model && { [MODEL_HEADER]: `${model.name} ${model.host}` }),
    };
    return Promise.resolve({ room: createRoom("model", {}), gives: { model, tokensPerDay, searchHeaders } });
  },
};

interface AnswerFloor extends Pick<GivenModel, "model" | "tokensPerDay"> {
  log: Log;
  /** Answers a search that is not counted: the reader's own search has been. */
  askQuietly: (body: unknown) => Promise<unknown>;
  /** The content that is served now. */
  content: () => LibraryContent;
}

export const answerRoom: RoomPlan<AnswerFloor, object, Record<never, never>> = {
  variables: {},
  migrations: [],
  sealed: [],
  open({ model, tokensPerDay, log, askQuietly, content }, { SITE_ORIGIN: origin }) {
    if (!model) return Promise.resolve({ room: createRoom("answers", {}), gives: {} });
    const library = rememberLast((now: LibraryContent) => {
      const { pages } = createLibrary(now);
      return { pages, isOrdinary: createVocabulary(pages.values()) };
    });
    const routes = createAnswerRoutes({
      origin,
      siteName: siteConfig.name,
      model,
      tokensPerDay,
      log,
      findPassages: (question) =>
        findPassages(question, { origin, search: askQuietly, pages: library(content()).pages }),
      isOrdinary: (word) => library(content()).isOrdinary(word),
    });
    const { registerMetrics, end } = routes;
    const room = createRoom("answers", { mounts: [answerMount(routes)], registerMetrics, end });
    return Promise.resolve({ room, gives: {} });
  },
};

const answerMount = ({ app }: Pick<AnswerRoutes, "app">): Mount => ({
  part: "answers",
  paths: ["/answers/*"],
  takesTurns: true,
  serve: ({ addressOf, limitAnswers, refuseWithoutRoom }) =>
    new Hono().use(limitAnswers).use(refuseWithoutRoom).route("/", app(addressOf)),
});

/** In development the content is another object after each save. */
function rememberLast<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let last: { key: Key; value: Value } | null = null;
  return (key) => {
    if (last?.key !== key) last = { key, value: make(key) };
    return last.value;
  };
}
