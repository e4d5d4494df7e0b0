import type { Facts } from "../facts.ts";
import type { ContentProblem, Page } from "../types.ts";

/**
 * Values of `limits.yaml` that a page types instead of quoting them. A warning: the same number can mean something else.
 */
export function checkTypedFacts(pages: readonly Page[], { limits }: Facts["limits"]): ContentProblem[] {
  const ids = new Map<string, string[]>();
  for (const { id, value } of limits) {
    // A number alone is too common to mean anything.
    if (/^\d[\d,.]* \w+$/.test(value)) ids.set(value, [...(ids.get(value) ?? []), id]);
  }
  const patterns = [...ids].map(([value, names]) => {
    return { value, names, pattern: new RegExp(`(?<![\\w.,-])${value.replaceAll(".", "\\.")}\\b`) };
  });
  return pages.flatMap((page) =>
    page.prose.flatMap(({ text, line }) =>
      patterns.flatMap(({ value, names, pattern }): ContentProblem[] => {
        if (!pattern.test(text)) return [];
        const message = `"${value}" is typed here and stands in content/facts/limits.yaml.`;
        const fix = names.map((name) => `<Fact id="${name}" />`).join(" or ");
        return [{ file: page.file, line, rule: "typed-fact", severity: "warning", message, fix }];
      }),
    ),
  );
}
