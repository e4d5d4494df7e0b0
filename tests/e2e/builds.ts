/** Answers of the API about builds, in place of the server's: a test chooses the moment that they show. */
import type { Page, Route } from "@playwright/test";
import type { Build, Step } from "#api/gen/json-types.ts";
import { acmeBuilds, type Line, type ToldBuild } from "../fixtures/build-answers.ts";
import { askEverything, PROJECTS } from "./acme.ts";

function frame(message: object, flags = 0): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(5);
  head.writeUInt8(flags);
  head.writeUInt32BE(text.length, 1);
  return Buffer.concat([head, text]);
}

interface Asked {
  build_id?: string;
  project_id?: string;
  states?: string[];
  query?: string;
  branch?: string;
  created_by?: string;
  platform?: string;
  page_size?: number;
  page_token?: string;
  after?: string;
}

export class BuildAnswers {
  builds: ToldBuild[];
  /** Requests: the method's name and its message. */
  readonly asked: { method: string; request: Asked }[] = [];
  /** By method: the status and message of a refusal. */
  refused: { [method: string]: { status: number; code: string; message: string } | undefined } = {};
  causes: object[] = [
    { kind: "file", name: "basket/express.tsx", before: "", after: "" },
    { kind: "argument", name: "SENTRY_RELEASE", before: "9f31c7e", after: "4be92d1" },
  ];

  constructor(now = Date.now()) {
    this.builds = acmeBuilds(now, PROJECTS);
  }

  async serve(page: Page): Promise<void> {
    await askEverything(page);
    await page.route(/\/api\/millrace\.v1\.BuildService\//, (route) => this.#answer(route));
  }

  find = (id: string | undefined) => this.builds.find(({ build }) => build.id === id);

  async #answer(route: Route): Promise<void> {
    const body = route.request().postDataBuffer() ?? Buffer.from("{}");
    const method = new URL(route.request().url()).pathname.split("/").at(-1) ?? "";
    const isStream = method === "WatchBuild" || method === "StreamLogs";
    const request = JSON.parse(body.subarray(isStream ? 5 : 0).toString()) as Asked;
    this.asked.push({ method, request });
    const refusal = this.refused[method];
    if (refusal) {
      const { status, ...error } = refusal;
      return route.fulfill({ status, json: error });
    }
    if (method === "ListBuilds") return route.fulfill({ json: this.#list(request) });
    const told = this.find(request.build_id);
    if (!told)
      return route.fulfill({
        status: 404,
        json: { code: "not_found", message: `there is no build ${request.build_id ?? ""}` },
      });
    if (isStream) return route.fulfill(streamOf(method, told, Number(request.after ?? 0)));
    if (method === "ExplainStep")
      return route.fulfill({
        json: {
          summary: "Two of the files that it copies differ, and so does one argument.",
          causes: this.causes,
          compared_build_id: "bld_v6n2hk8s4d",
        },
      });
    if (method === "CancelBuild") {
      Object.assign(told.build, {
        state: "canceled",
        canceled_by: "Ada Okafor",
        finished_at: new Date().toISOString(),
      } satisfies Partial<Build>);
    }
    return route.fulfill({ json: { build: told.build } });
  }

  #list(request: Asked): object {
    const { states = [], page_size: size = 20, page_token: token } = request;
    const words = (request.query ?? "").toLowerCase();
    const found = this.builds
      .map(({ build }) => ({ ...build, steps: [] as Step[] }))
      .filter(
        (build) =>
          (!request.project_id || build.project_id === request.project_id) &&
          (!request.branch || build.branch === request.branch) &&
          (!request.created_by || build.created_by === request.created_by) &&
          (!request.platform || build.platforms.includes(request.platform)) &&
          [build.id, build.branch, build.commit_sha, ...Object.values(build.labels)].some((text) =>
            text.toLowerCase().includes(words),
          ),
      );
    const counts = Object.groupBy(found, ({ state }) => state);
    const chosen = found.filter(({ state }) => states.length === 0 || states.includes(state));
    const from = Number(token || 0);
    return {
      builds: chosen.slice(from, from + size),
      next_page_token: from + size < chosen.length ? String(from + size) : "",
      counts: Object.fromEntries(Object.entries(counts).map(([state, of]) => [state, of?.length ?? 0])),
    };
  }
}

/** A running build's streams are cut: the page asks again, and sees the test's changes. */
function streamOf(method: string, { build, lines }: ToldBuild, after: number) {
  const isOver = ["succeeded", "failed", "canceled"].includes(build.state);
  const messages: object[] =
    method === "WatchBuild"
      ? [{ build: { ...build, steps: [] }, steps: build.steps }]
      : lines.filter(({ sequence }: Line) => Number(sequence) > after);
  return {
    headers: { "Content-Type": "application/connect+json" },
    body: Buffer.concat([...messages.map((message) => frame(message)), ...(isOver ? [frame({}, 2)] : [])]),
  };
}
