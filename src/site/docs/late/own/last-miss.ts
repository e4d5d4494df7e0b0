/** "Your last miss", on the page about cache misses: the first step that ran again in the project's latest build with one. */
import { make } from "../parts/make.ts";
import { callApi } from "./ask.ts";
import { buildAddress } from "./run-this.ts";

export const LAST_MISS_PAGE = "/docs/container-builds/troubleshooting/cache-misses";

/** Builds that are listed, those whose steps are read, and explanations that are asked for. */
const BUILDS = 20;
const READ_BUILDS = 6;
const EXPLANATIONS = 3;
/**
 * `[4/6] COPY . .`, `[web 4/6] …`, `[linux/arm64 web 4/6] …`: others, such as loading the context, always run, and an image
 * that is only named does not.
 */
const DOCKERFILE_STEP = /^\[(?:\S+ ){0,2}\d+\/\d+\] (?!FROM )/;

interface Build {
  id: string;
  project?: string;
  created_at?: string;
  steps_total?: number;
  steps_cached?: number;
  steps?: { id: string; name?: string; cached?: boolean }[];
}

interface Miss {
  build: Build;
  step: string;
  summary: string;
}

interface Where {
  /** Its name. */
  organization: string;
  /** Its id; absent: all projects. */
  project: string | undefined;
  signal: AbortSignal;
}

/** @returns null: no build ran a step that an earlier build had. @throws AskError */
async function findLastMiss(where: Where): Promise<Miss | null> {
  const { project, ...call } = where;
  const { builds = [] } = await callApi<{ builds?: Build[] }>(
    "BuildService/ListBuilds",
    { page_size: BUILDS, states: ["succeeded", "failed"], ...(project && { project_id: project }) },
    call,
  );
  const candidates = builds.filter(({ steps_total = 0, steps_cached = 0 }) => steps_cached < steps_total);
  let explanations = 0;
  for (const { id } of candidates.slice(0, READ_BUILDS)) {
    const { build } = await callApi<{ build?: Build }>("BuildService/GetBuild", { build_id: id }, call);
    const step = build?.steps?.find(({ cached, name = "" }) => !cached && DOCKERFILE_STEP.test(name));
    if (!build || !step) continue;
    if (++explanations > EXPLANATIONS) break;
    const { summary, compared_build_id } = await callApi<{ summary?: string; compared_build_id?: string }>(
      "BuildService/ExplainStep",
      { build_id: id, step_id: step.id },
      call,
    );
    if (summary && compared_build_id) return { build, step: step.name ?? "", summary };
  }
  return null;
}

/** @returns undefined: there is nothing to show. @throws AskError */
export async function createLastMiss(where: Where): Promise<HTMLElement | undefined> {
  const miss = await findLastMiss(where);
  const address = miss && buildAddress(where.organization, miss.build.id);
  if (!miss || !address) return undefined;
  const { build, step, summary } = miss;
  const at = new Date(build.created_at ?? "");
  const day = Number.isNaN(at.getTime())
    ? ""
    : `, ${at.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" })}`;
  const element = make(
    "section",
    { className: "miss", ariaLabel: "Your last miss" },
    make(
      "div",
      { className: "miss-h" },
      make("b", {}, "Your last miss"),
      make("span", {}, `${build.project ?? ""}${day}`),
      make("a", { href: address }, build.id),
    ),
    make(
      "p",
      {},
      make("code", {}, step.slice(0, 300)),
      " ran again. ",
      ...readMarked(summary.slice(0, 1000)),
    ),
  );
  element.dataset["private"] = "";
  return element;
}

/** "The file `package.json` changed": names between backticks are code. */
const readMarked = (text: string) =>
  text.split("`").map((part, index) => (index % 2 === 1 ? make("code", {}, part) : part));
