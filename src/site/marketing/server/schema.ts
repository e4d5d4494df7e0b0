/** The shapes of `content/marketing/*.yaml`. Texts are plain, with `code` in backticks. */
import * as z from "zod";

const text = z.string().trim().min(1);
/** Lines of code; the first may be indented, as in a diff. */
const lines = z
  .string()
  .regex(/\S/)
  .transform((value) => value.trimEnd());
const href = z.string().regex(/^(\/(?!\/)|https:\/\/)/, "must be a path or an https:// address");
const link = z.strictObject({ label: text, to: href });
const icon = z.string().regex(/^[a-z0-9-]+$/);
const percent = z.number().min(0).max(100);

/** A mark of Simple Icons by its file's name, or one of the pictures in `images/`. */
const mark = z.union([
  z.strictObject({ name: text, brand: z.string().regex(/^[a-z0-9]+$/) }),
  z.strictObject({ name: text, image: z.enum(["crab", "video"]) }),
]);

const wordmark = z.strictObject({
  name: text,
  weight: z.int().min(400).max(700),
  spacing: z.string().regex(/^-?[\d.]+em$/),
  isMono: z.boolean().default(false),
  /** Strokes in a box of 24. */
  path: text,
});

/** Names of others. Samples say in words that they are: nobody is shown as a customer who is none. */
const wall = z
  .strictObject({ isSample: z.boolean().default(false), label: text, names: z.array(wordmark) })
  .refine(({ isSample, label }) => !isSample || /sample/i.test(label), {
    path: ["label"],
    error: 'must have the word "sample" while isSample is true',
  });

const step = z.strictObject({ term: text, text });

/** A code block as in the documentation; `meta` is what stands after a fence's language. */
const code = z.strictObject({
  kind: z.literal("code"),
  language: text,
  meta: z.string().default(""),
  text: lines,
});
const diagram = z.strictObject({ kind: z.literal("diagram"), caption: text, text });

const single = z.discriminatedUnion("kind", [
  code,
  diagram,
  z.strictObject({ kind: z.literal("terminal"), title: text, label: text, text }),
  z.strictObject({
    kind: z.literal("images"),
    project: text,
    rows: z.array(z.strictObject({ tag: text, digest: text, platforms: text, expires: text })).min(1),
    note: text,
  }),
  z.strictObject({
    kind: z.literal("jobs"),
    label: text,
    /** From and to in percent of the whole workflow. */
    jobs: z.array(
      z.strictObject({ name: text, from: percent, to: percent, isWork: z.boolean().default(false) }),
    ),
    note: text,
  }),
  z.strictObject({
    kind: z.literal("cacheReport"),
    rows: z.array(z.strictObject({ tool: text, brand: text, hits: z.int().min(0), misses: z.int().min(0) })),
    note: text,
  }),
  z.strictObject({
    kind: z.literal("transcript"),
    prompt: text,
    steps: z.array(z.strictObject({ icon, text, result: text, isOk: z.boolean().default(false) })).min(1),
    note: text,
  }),
  z.strictObject({
    kind: z.literal("layers"),
    changes: z.array(text).min(1),
    /** `runs` has the numbers of the changes that make the line run again. */
    steps: z.array(z.strictObject({ line: text, runs: z.array(z.int().min(0)) })).min(1),
  }),
  z.strictObject({ kind: z.literal("steps"), steps: z.array(step).min(1) }),
  z.strictObject({ kind: z.literal("runnerTable") }),
  z.strictObject({ kind: z.literal("toolTable") }),
]);

const artefact = z.union([
  single,
  z.strictObject({ kind: z.literal("group"), items: z.array(single).min(1) }),
]);

const productCell = z.strictObject({ id: text, icon, title: text, text, more: link, artefact });

export const homeSchema = z.strictObject({
  title: text,
  hero: z.strictObject({ title: z.array(text).length(2), lead: text, docs: link, note: text }),
  race: z.strictObject({
    subject: text,
    note: text,
    cold: text,
    /** At most six: each has a channel. */
    steps: z
      .array(
        z.strictObject({
          name: text,
          coldSeconds: z.number().positive(),
          seconds: z.number().min(0),
          isCached: z.boolean(),
        }),
      )
      .min(2)
      .max(6),
  }),
  customers: wall,
  products: z.strictObject({
    title: text,
    preview: text,
    lead: productCell.extend({ facts: z.array(step) }),
    cells: z.array(productCell),
  }),
  technologies: z.strictObject({ title: text, text, marks: z.array(mark) }),
  partners: wall,
  community: z.strictObject({
    title: text,
    text,
    withoutChat: text,
    questions: link,
    social: z.strictObject({ label: text, marks: z.array(mark) }),
  }),
  today: link,
  close: z.strictObject({ title: z.array(text).length(2), text }),
});

const productLink = link.extend({ icon, text });

export const productSchema = z.strictObject({
  path: href,
  name: text,
  icon,
  description: z.string().min(50).max(170),
  title: text,
  lead: text,
  /** Its id in `content/facts/parts.yaml`. While the part is a preview the button leads to `today`, then to `docs`. */
  part: text,
  /** What can be done today; without it, what the home page says. */
  today: link.optional(),
  docs: link,
  demonstration: z.strictObject({ title: text, text, artefact }),
  facts: z.array(step).min(3),
  /** The first is the page that says how it works. */
  links: z.tuple([productLink], productLink),
});

const badge = z.strictObject({ title: text, text });

export const trustSchema = z.strictObject({
  title: text,
  description: z.string().min(50).max(170),
  lead: text,
  badges: z.strictObject({ soc: badge.extend({ link }), funding: badge }),
  sections: z.array(
    z.strictObject({
      id: text,
      title: text,
      text,
      more: link.optional(),
      diagram: z.strictObject({ caption: text, text }).optional(),
    }),
  ),
  responsibilities: z.strictObject({
    title: text,
    head: z.tuple([text, text, text]),
    rows: z.array(z.tuple([z.string(), z.string(), z.string()])),
  }),
});

/** The states that the marketing pages go by; `content/facts/parts.yaml` has more of each part. */
export const partStatesSchema = z.object({
  parts: z.array(z.object({ id: text, state: z.enum(["available", "preview"]) })),
});

export const changelogSchema = z.strictObject({ title: text, date: z.iso.date() });

export type Home = z.infer<typeof homeSchema>;
export type Product = z.infer<typeof productSchema>;
export type Trust = z.infer<typeof trustSchema>;
export type Artefact = z.infer<typeof artefact>;
export type SingleArtefact = z.infer<typeof single>;
export type ArtefactOf<Kind extends SingleArtefact["kind"]> = Extract<SingleArtefact, { kind: Kind }>;
export type Mark = z.infer<typeof mark>;
export type Wordmark = z.infer<typeof wordmark>;
