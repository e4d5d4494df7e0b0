/**
 * Numbers with a unit that pages state in their own words, and not as facts:
 * 1. Each is in the table below, which has no others.
 * 2. Those about this product are what the code does.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { loadFacts } from "#docs/content/facts/facts.ts";
import { FULL_BYTES, FULL_SHARE, LOW_BYTES, LOW_SHARE } from "#platform/files/disk-space.ts";
import { WAIT_MS } from "#server/database/open-records.ts";
import { parseEnvironment } from "#server/environment.ts";
import { DRAIN_MS } from "#server/limits.ts";
import { root } from "#server/pages/build-folders.ts";
import { compileContent } from "../../scripts/steps/content-step.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** What the number belongs to if not to this product: a standard, an example, a sum of facts beside it, a way of speaking. */
type Theirs = "standard" | "example" | "sum" | "AWS" | "Google" | "Pants" | "Traefik" | "Travis CI" | "idiom";
type Stated = Theirs | [stated: unknown, found: unknown];

const CONTAINER = z.object({ lifecycle: z.unknown(), resources: z.object({ limits: z.unknown() }) });
const POD = z.object({ terminationGracePeriodSeconds: z.number(), containers: z.array(CONTAINER) });
const SERVER = z.object({ spec: z.object({ template: z.object({ spec: POD }) }) });
const manifest = parse(readFileSync(join(root, "deploy/kubernetes/server.yaml"), "utf8").split(/^---$/m)[0]!);
const pod = SERVER.parse(manifest).spec.template.spec;
const [container] = pod.containers;

const { limits } = loadFacts(root).facts.limits;
/** The number of a fact, `3` of "3 days". */
function factOf(id: string): number {
  const { value } = limits.find((limit) => limit.id === id) ?? { value: "" };
  return Number(/^[\d,.]+/.exec(value)?.[0].replaceAll(",", ""));
}
/** A number within a room, which other code must not import. */
async function constantOf(file: string, name: string): Promise<number> {
  const found: { [name: string]: unknown } = await import(join(root, "src", file));
  return z.coerce.number().parse(found[name]);
}
const IDENTITY_AGE_MS = await constantOf("accounts/contract/limits.ts", "IDENTITY_AGE_MS");
const HALF_LIFETIME_MS = await constantOf("accounts/sign-in/browser/half-sign-in.ts", "HALF_LIFETIME_MS");
const CONFIRMED_MS = await constantOf("accounts/two-step/require-confirmed.ts", "CONFIRMED_MS");
const CLIENT_GONE_MS = await constantOf("builds/contract/limits.ts", "CLIENT_GONE_MS");
const SERVER_WEIGHT = await constantOf("builds/machine/control-trees.ts", "SERVER_WEIGHT");
const MAX_ENCODED_LENGTH = await constantOf("builds/masking/forms-of.ts", "MAX_ENCODED_LENGTH");
const PING_MS = await constantOf("builds/proxy/limits.ts", "PING_MS");
const REMEMBERED_MS = await constantOf("cache/contract/limits.ts", "REMEMBERED_MS");
const MAX_TEMPLATE_LENGTH = await constantOf("search-server/protocol/limits.ts", "MAX_TEMPLATE_LENGTH");
const TEMPLATE_MS = await constantOf("search-server/protocol/limits.ts", "TEMPLATE_MS");
const MAX_RENDERED_LENGTH = await constantOf("search-server/protocol/limits.ts", "MAX_RENDERED_LENGTH");
const SHOWN_FROM = await constantOf("telemetry/queries/searches.ts", "SHOWN_FROM");

/** Sums that the page shows beside facts. */
const builder = factOf("builder.size") * factOf("builder.memory");
const sums = {
  caches: 20 * factOf("layer-cache.size"),
  results: 3 * factOf("cache.quota"),
  images: factOf("registry.quota") + factOf("mirror.quota"),
};

/** By page below `/docs/`, then by the number as it is written. */
const STATED: { [page: string]: { [number: string]: Stated } } = {
  "agents/claude-code/quickstart": { "ten minutes": "idiom" },
  "api/api-container-builds-tutorial": { "ten minutes": "idiom", "five bytes": "standard" },
  // A replica asks again after the age, and a call takes its time.
  "api/authentication": { "five seconds": [5 * SECOND, IDENTITY_AGE_MS + SECOND] },
  "api/overview": { "four bytes": "standard" },
  "api/overview/recipes": { "three seconds": "example", "five bytes": "standard" },
  "api/overview/search": {
    "10,000 characters": [10_000, MAX_TEMPLATE_LENGTH],
    "1 second": [SECOND, TEMPLATE_MS],
    "1,000,000 characters": [1_000_000, MAX_RENDERED_LENGTH],
  },
  "cache/reference/pants": { "1.5 seconds": "Pants" },
  "cli/installation": { "Ten minutes": "idiom" },
  "container-builds/how-to-guides/autoscaling": { "five seconds": "example" },
  "container-builds/how-to-guides/docker-build/secrets": { "16 KB": [16, MAX_ENCODED_LENGTH / 1024] },
  "container-builds/how-to-guides/optimal-dockerfiles": { "three weeks": "example" },
  "container-builds/how-to-guides/optimal-dockerfiles/python/machine-learning": { "three times": "idiom" },
  "container-builds/how-to-guides/private-registries": { "12 hours": "AWS" },
  "container-builds/quickstart": { "ten minutes": "idiom" },
  "container-builds/reference/travis-ci": { "ten minutes": "Travis CI" },
  "container-builds/troubleshooting": { "12 hours": "AWS" },
  "github-actions/quickstart": { "ten minutes": "idiom" },
  "managed/on-aws": {
    "118 GB": "AWS",
    "237 GB": "AWS",
    "474 GB": "AWS",
    "950 GB": "AWS",
    "1900 GB": "AWS",
  },
  "managed/overview/kubernetes": {
    "45 seconds": [45, pod.terminationGracePeriodSeconds],
    "5 seconds": [{ preStop: { sleep: { seconds: 5 } } }, container?.lifecycle],
    "20 seconds": [20 * SECOND, DRAIN_MS],
    "1 GiB": [{ memory: "1Gi" }, container?.resources.limits],
  },
  "managed/overview/monitoring": {
    "16 characters": [true, refusesSecret(15) && !refusesSecret(16)],
    "4 %": [4, LOW_SHARE * 100],
    "25 GB": [25e9, LOW_BYTES / LOW_SHARE],
    "16 MB": [16e6, FULL_BYTES],
    "0.2 %": [0.2, FULL_SHARE * 100],
  },
  "managed/overview/proxy": { "60 seconds": "Traefik", "20 seconds": [20 * SECOND, PING_MS] },
  "managed/overview/replicas": {
    "half a minute": [MINUTE / 2, WAIT_MS],
    "four seconds": [4 * SECOND, Math.max(IDENTITY_AGE_MS, REMEMBERED_MS)],
    "five seconds": [5 * SECOND, IDENTITY_AGE_MS + SECOND],
    "three times": "sum",
    "45 seconds": [45 * SECOND, CLIENT_GONE_MS],
  },
  "managed/overview/run": { "32 bytes": [true, refusesKey(31) && !refusesKey(32)] },
  "managed/overview/sizing": {
    "1 GiB": [{ memory: "1Gi" }, container?.resources.limits],
    "17 CPUs": [17, 4 * factOf("builder.size") + 1],
    "16 GB": [16, builder],
    "80 GB": "sum",
    "1,000 GB": [1000, sums.caches],
    "150 GB": [150, sums.results],
    "600 GB": [600, sums.images],
    "1,750 GB": [1750, sums.caches + sums.results + sums.images],
  },
  "managed/overview/upgrade": {
    "20 seconds": [20 * SECOND, DRAIN_MS],
    "1 GB": "standard",
    "1,073,741,824 bytes": [1_073_741_824, 1024 ** 3],
    "7 %": [7, Math.round((1024 ** 3 / 1e9 - 1) * 100)],
  },
  "managed/overview/variables": { "16 characters": [true, refusesSecret(15) && !refusesSecret(16)] },
  "managed/using-gpus": {
    "16 GB": "AWS",
    "24 GB": "AWS",
    "48 GB": "AWS",
    "32 GB": "AWS",
    "96 GB": "AWS",
    "192 GB": "AWS",
  },
  "registry/quickstart": { "ten minutes": "idiom" },
  security: {
    "four times": [4, SERVER_WEIGHT / 100],
    "ten minutes": [
      [10 * MINUTE, 10 * MINUTE],
      [HALF_LIFETIME_MS, CONFIRMED_MS],
    ],
    "three times": [3, SHOWN_FROM],
  },
};

function refusesSecret(length: number): boolean {
  return refuses({ METRICS_TOKEN: "m".repeat(length) });
}
function refusesKey(bytes: number): boolean {
  return refuses({ MILLRACE_SECRET_KEY: Buffer.alloc(bytes, 7).toString("base64") });
}
function refuses(settings: { [name: string]: string }): boolean {
  try {
    parseEnvironment(settings);
    return false;
  } catch {
    return true;
  }
}

const WORDS = "half an?|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty|ninety";
const UNITS =
  "bytes?|[KMGT]i?B|%|(?:milli)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|characters?|times|CPUs?";
const NUMBER = new RegExp(`(?<![\\w.,-])(?:\\d[\\d,.]*|${WORDS})[ -](?:${UNITS})(?![\\w-])`, "gi");

test("1. every number", async () => {
  const { pages } = await compileContent();
  const found = pages.flatMap(({ path, prose }) => {
    const numbers = prose.flatMap(({ text }) => text.match(NUMBER) ?? []);
    return [...new Set(numbers)].map((number) => `${path.slice("/docs/".length)}: ${number}`);
  });
  const stated = Object.entries(STATED).flatMap(([page, numbers]) =>
    Object.keys(numbers).map((number) => `${page}: ${number}`),
  );
  expect(stated.toSorted()).toEqual(found.toSorted());
}, 60_000);

const ours = Object.entries(STATED).flatMap(([page, numbers]) =>
  Object.entries(numbers).flatMap(([number, is]) => (Array.isArray(is) ? [{ page, number, is }] : [])),
);
test.each(ours)("2. $page: $number", ({ is: [stated, found] }) => expect(found).toEqual(stated));
