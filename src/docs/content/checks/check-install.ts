/**
 * The package `millrace` is not published, so anyone who takes that name on a registry gets the tokens of users who install it
 * from there. Until `install.published` of `content/facts/cli.yaml` is true, no text for readers may name it.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Facts } from "../facts/facts.ts";
import type { ContentProblem } from "../types.ts";

const READ_BY_USERS = [
  "content/**/*.{mdx,md,yaml}",
  "src/{app,site}/**/*.{ts,tsx}",
  "cli/*.md",
  "cli/{src,install}/**/*",
  "deploy/**/*",
  "README.md",
];
const FLAG = String.raw`(?:\s+-[\w=./~-]+)*`;
const NAME = String.raw`["']?millrace(?:@[\w.^~*<>=-]+)?(?![\w./@-])`;
const PATTERNS = [
  // npm install -g millrace, pnpm add -g a millrace, yarn global add millrace, pnpm dlx millrace, bun x millrace
  String.raw`\b(?:npm${FLAG}\s+exec|(?:npm|pnpm|yarn|bun)${FLAG}(?:\s+global)?\s+(?:i|install|add|dlx|x))(?:\s+[^\s|&;]+)*?\s+${NAME}`,
  // With --no it runs only an installed package.
  String.raw`\b(?:npx|pnpx|bunx)(?:\s+(?!--no\b|-p\b|--package\b)-[\w=./~-]+)*\s+${NAME}`,
  String.raw`(?:--package[\s=]|\s-p\s)${NAME}`,
  // In a package.json.
  String.raw`"millrace":\s*"[\^~*<>=\d]`,
].map((source) => new RegExp(source));

/** @returns the command or entry that would install the package from a registry; undefined if the line has none */
export const bareInstall = (line: string): string | undefined =>
  PATTERNS.map((pattern) => pattern.exec(line)?.[0].trim()).find((found) => found !== undefined);

export function checkInstall({ cli }: Facts, root: string): ContentProblem[] {
  if (cli.install.published) return [];
  const files = globSync(READ_BY_USERS, { cwd: root }).filter(
    (file) => /\.\w+$/.test(file) && !/\.test\.tsx?$/.test(file),
  );
  return files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((text, at): ContentProblem[] => {
        const found = bareInstall(text);
        if (found === undefined) return [];
        const message = `"${found}" installs an unpublished package: anyone who registers its name gets the tokens.`;
        const fix = "{{cli:npm}} or {{cli:npx}}; in code, the command with this server's origin";
        return [{ file, line: at + 1, rule: "install", severity: "error", message, fix }];
      }),
  );
}
