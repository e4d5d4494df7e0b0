/** The shapes of `content/marketing/*.yaml`. Texts are plain, with `code` in backticks. */
import * as z from "zod";
import { artefact } from "./artefact-schema.ts";
import { brand, icon, step, text } from "./fields.ts";

const href = z.string().regex(/^(\/(?!\/)|https:\/\/)/, "must be a path or an https:// address");
const link = z.strictObject({ label: text, to: href });

/** A mark of Simple Icons by its file's name, or one of the pictures in `images/`. */
const mark = z.union([
  z.strictObject({ name: text, brand }),
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

/** Names of other companies. Samples must be labelled, so that no company is wrongly shown as a customer. */
const wall = z
  .strictObject({ isSample: z.boolean().default(false), label: text, names: z.array(wordmark) })
  .refine(({ isSample, label }) => !isSample || /sample/i.test(label), {
    path: ["label"],
    error: 'must contain the word "sample" while isSample is true',
  });

const productCell = z.strictObject({ id: text, icon, title: text, text, more: link, artefact });

export const homeSchema = z.strictObject({
  title: text,
  hero: z.strictObject({ title: z.array(text).length(2), lead: text, docs: link, note: text }),
  /** The builds are in `recorded-builds.json`. */
  race: z.strictObject({ subject: text, warm: text, cold: text, ghost: text }),
  customers: wall,
  products: z.strictObject({
    title: text,
    preview: text,
    /** `app` shows in the app what the artefact shows in the terminal. */
    lead: productCell.extend({ facts: z.array(step), app: artefact }),
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

/** Path, name and icon of the product are in `src/site/products.ts`; the file has the path's name. */
export const productSchema = z.strictObject({
  description: z.string().min(50).max(170),
  title: text,
  lead: text,
  /** Its id in `content/facts/parts.yaml`. While the part is a preview, the button leads to `today`, later to `docs`. */
  part: text,
  /** The action that is possible today; by default the home page's. */
  today: link.optional(),
  docs: link,
  /** The product at work, below the title. */
  picture: artefact,
  demonstration: z.strictObject({ title: text, text, artefact }),
  facts: z.array(step).min(3),
  /** The first link leads to the page that explains how it works. */
  links: z.tuple([productLink], productLink),
});

const badge = z.strictObject({ title: text, text });

export const trustSchema = z.strictObject({
  title: text,
  description: z.string().min(50).max(170),
  lead: text,
  /** The first screen: what visitors come for, each with the section that says more. */
  answers: z.array(z.strictObject({ icon, title: text, text, to: z.string().regex(/^#[a-z]+$/) })).length(4),
  badges: z.strictObject({ title: text, text, soc: badge.extend({ link }), funding: badge }),
  sections: z.array(
    z.strictObject({
      id: text,
      title: text,
      text,
      more: link.optional(),
      artefact: artefact.optional(),
    }),
  ),
  responsibilities: z.strictObject({
    title: text,
    head: z.tuple([text, text, text]),
    rows: z.array(z.tuple([z.string(), z.string(), z.string()])),
  }),
});

export const changelogSchema = z.strictObject({ title: text, date: z.iso.date() });

export type Home = z.infer<typeof homeSchema>;
export type ProductWords = z.infer<typeof productSchema>;
export type Trust = z.infer<typeof trustSchema>;
export type Mark = z.infer<typeof mark>;
export type Wordmark = z.infer<typeof wordmark>;
