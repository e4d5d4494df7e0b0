/** The artefact of a section, as data. Each kind has its component in `artefacts/`. Samples are labelled as such. */
import * as z from "zod";
import { brand, icon, lines, step, text } from "./fields.ts";

const count = z.int().min(0);
const percent = z.number().min(0).max(100);
const seconds = z.number().min(0);

/** A code block as in the documentation; `meta` is the text after the fence's language. */
const code = z.strictObject({
  kind: z.literal("code"),
  language: text,
  meta: z.string().default(""),
  text: lines,
});

/** A part of the product in a frame with a title; `note` names the samples. */
const shot = { title: text, state: text, note: text };
/** Meanings of the colours, by the classes of `.key`. */
const keys = z.array(
  z.strictObject({
    kind: z.enum(["cached", "work", "ghost", "wait", "path", "builder", "warm", "free"]),
    text,
  }),
);

const agentStep = z.strictObject({ icon, text, result: text, isOk: z.boolean().default(false) });
const span = z.strictObject({ start: seconds, seconds });

/** Work against time. `cold` is the same step in another build, `waits` its wait before it started. */
const timeline = z.strictObject({
  kind: z.literal("timeline"),
  ...shot,
  label: text,
  span: seconds,
  tick: z.number().positive(),
  end: seconds,
  groups: z.array(
    z.strictObject({
      name: text,
      note: text,
      rows: z.array(
        span.extend({
          stage: text,
          line: text,
          kind: z.enum(["cached", "work"]),
          waits: seconds.optional(),
          cold: span.optional(),
          isCritical: z.boolean().default(false),
        }),
      ),
    }),
  ),
  keys,
});

const machines = z.strictObject({
  kind: z.literal("machines"),
  ...shot,
  rows: z.array(
    z.strictObject({
      name: text,
      text,
      cells: z.array(
        z.strictObject({ text, cpus: z.int().min(1), kind: z.enum(["job", "builder", "warm", "free"]) }),
      ),
    }),
  ),
  keys,
});

/** `fresh` is the share of layers that no other tag has; `detail` shows the first tag. */
const image = z.strictObject({
  kind: z.literal("image"),
  ...shot,
  tags: z
    .array(
      z.strictObject({
        names: z.array(text).min(1),
        platforms: text,
        size: text,
        fresh: percent,
        pushed: text,
      }),
    )
    .min(1),
  detail: z.strictObject({
    facts: z.array(step),
    layers: z
      .array(z.strictObject({ line: text, megabytes: seconds, isNew: z.boolean().default(false) }))
      .min(1),
  }),
  keys,
});

const cacheDays = z.strictObject({
  kind: z.literal("cacheDays"),
  ...shot,
  label: text,
  days: z.array(z.strictObject({ day: text, hits: count, misses: count })).min(1),
  tools: z.array(z.strictObject({ tool: text, brand, hits: count, misses: count, stored: text })).min(1),
  keys,
});

const session = z.strictObject({
  kind: z.literal("session"),
  ...shot,
  turns: z
    .array(
      z.strictObject({
        who: text,
        time: text,
        isPerson: z.boolean().default(false),
        text,
        steps: z.array(agentStep).default([]),
      }),
    )
    .min(1),
  changes: z.array(code).min(1),
});

/** An installation in an account; the first box of the chain is outside it. */
const cloudBox = z.strictObject({ title: text, text: text.optional() });
const cloud = z.strictObject({
  kind: z.literal("cloud"),
  label: text,
  frame: text,
  chain: z.array(cloudBox).min(2).max(3),
  links: z.array(text),
  parts: z.array(cloudBox).min(1).max(6),
});

const single = z.discriminatedUnion("kind", [
  code,
  timeline,
  machines,
  image,
  cacheDays,
  session,
  cloud,
  z.strictObject({ kind: z.literal("terminal"), title: text, icon, branch: text, label: text, text: lines }),
  /** A picture of the app, taken by `bench/app-pictures.ts`; `note` says what in it is a sample. */
  z.strictObject({
    kind: z.literal("app"),
    picture: z.enum(["build", "images", "cache"]),
    alt: text,
    note: text.regex(/sample/i, 'must contain the word "sample"'),
  }),
  z.strictObject({
    kind: z.literal("jobs"),
    label: text,
    jobs: z.array(span.extend({ name: text, isWork: z.boolean().default(false) })).min(1),
    note: text,
  }),
  z.strictObject({
    kind: z.literal("transcript"),
    prompt: text,
    steps: z.array(agentStep).min(1),
    marks: z.array(z.strictObject({ brand })),
    note: text,
  }),
  z.strictObject({
    kind: z.literal("layers"),
    changes: z.array(text).min(1),
    /** `runs` has the numbers of the changes that make the line run again. */
    steps: z.array(z.strictObject({ line: text, runs: z.array(count) })).min(1),
  }),
  z.strictObject({ kind: z.literal("steps"), steps: z.array(step).min(1) }),
  z.strictObject({ kind: z.literal("runnerTable") }),
  z.strictObject({ kind: z.literal("toolTable") }),
]);

export const artefact = z.union([
  single,
  z.strictObject({ kind: z.literal("group"), items: z.array(single).min(1) }),
]);

export type Artefact = z.infer<typeof artefact>;
export type SingleArtefact = z.infer<typeof single>;
export type ArtefactOf<Kind extends SingleArtefact["kind"]> = Extract<SingleArtefact, { kind: Kind }>;
