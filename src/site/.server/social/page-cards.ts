import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { sectionOf, type Navigation } from "#docs/content/navigation.ts";
import { fillPlaceholders } from "#docs/content/placeholders.ts";
import type { Page } from "#docs/content/types.ts";
import type { Card } from "./draw-card.ts";

export interface PageCard extends Card {
  /** The page's path. */
  path: string;
}

/** Images are drawn before the site's own address is known. */
const EXAMPLE_ORIGIN = "https://millrace.example.com";

/** One card for each page of the documentation. */
export function docsCards(pages: Page[], navigation: Navigation): PageCard[] {
  return pages.map(({ path, title }) => {
    const section = navigation.sections.length > 0 ? sectionOf(navigation, path) : "";
    const isTop = section === "" || section === "Documentation";
    return {
      path,
      trail: isTop ? ["Docs"] : ["Docs", section],
      title: fillPlaceholders(title, EXAMPLE_ORIGIN),
    };
  });
}

const text = z.string().min(1);
const homeFields = z.object({ title: text, hero: z.object({ title: z.array(text) }) });
const productFields = z.object({ path: text, name: text, title: text });
const trustFields = z.object({ title: text });

/** One card for each marketing page; @throws Error that names the file of `content/marketing/` which cannot be read. */
export async function marketingCards(root: string): Promise<PageCard[]> {
  const folder = join(root, "content/marketing");
  const home = await read(join(folder, "home.yaml"), homeFields);
  const trust = await read(join(folder, "trust.yaml"), trustFields);
  const files = (await readdir(join(folder, "products"))).filter((name) => name.endsWith(".yaml")).sort();
  const products = await Promise.all(
    files.map((name) => read(join(folder, "products", name), productFields)),
  );
  const promise = home.title.charAt(0).toUpperCase() + home.title.slice(1);
  return [
    { path: "/", trail: [promise], title: home.hero.title.join(" ") },
    ...products.map(({ path, name, title }) => ({ path, trail: [name], title })),
    { path: "/trust", trail: ["Trust"], title: trust.title },
    { path: "/changelog", trail: ["Changelog"], title: "What changed, newest first" },
    { path: "/your-data", trail: ["Privacy"], title: "Your data" },
  ];
}

async function read<Shape extends z.ZodType>(file: string, shape: Shape): Promise<z.infer<Shape>> {
  const parsed = shape.safeParse(parse(await readFile(file, "utf8")));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`${file} cannot be used: ${problems.join("; ")}`);
}
