import type { Facts } from "../facts/facts.ts";
import type { ContentProblem, Page } from "../types.ts";

/** Spellings of the facts' units in sentences. */
const UNITS: Record<string, string> = {
  GB: "(?:GB|GiB|gigabytes?)",
  MB: "(?:MB|MiB|megabytes?)",
  KB: "(?:KB|KiB|kB|kilobytes?)",
  CPUs: "(?:v?CPUs?|cores?)",
  minutes: "min(?:ute)?s?",
  hours: "hours?",
  days: "days?",
};
const NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen".split(
  " ",
);

interface TypedFact {
  value: string;
  pattern: RegExp;
  fix: string;
}

/** Finds values that a page repeats instead of quoting the fact, so that they stay when the fact changes. */
export function checkTypedFacts(
  pages: readonly Page[],
  facts: Pick<Facts, "limits" | "runners">,
): ContentProblem[] {
  const typed = typedFacts(facts);
  return pages.flatMap((page) =>
    page.prose.flatMap(({ text, line }) =>
      typed.flatMap(({ value, pattern, fix }): ContentProblem[] => {
        const found = pattern.exec(text)?.[0];
        if (found === undefined) return [];
        const message = `"${found}" is typed by hand; ${value} is in content/facts.`;
        const advice = `${fix}, or other words if it is a different number.`;
        return [{ file: page.file, line, rule: "typed-fact", severity: "error", message, fix: advice }];
      }),
    ),
  );
}

function typedFacts({ limits, runners }: Pick<Facts, "limits" | "runners">): TypedFact[] {
  const fixes = new Map<string, Set<string>>();
  const add = (value: string, fix: string) => fixes.set(value, (fixes.get(value) ?? new Set()).add(fix));
  for (const { id, value } of limits.limits) add(value, `<Fact id="${id}" />`);
  // Memory is not included: tables give the memory of other machines.
  for (const { cpus } of runners.runners) add(`${cpus} CPUs`, "<RunnerTable />");
  return [...fixes].flatMap(([value, components]): TypedFact[] => {
    const pattern = patternOf(value);
    return pattern ? [{ value, pattern, fix: [...components].join(" or ") }] : [];
  });
}

/** `2 minutes` as "2 minutes", "two minutes", "2-minute". Bare numbers, and one of a thing, are too common to be facts. */
function patternOf(value: string): RegExp | undefined {
  const [, number = "", unit = ""] = /^(\d[\d,.]*) (\w+)$/.exec(value) ?? [];
  if (number === "" || number === "1") return undefined;
  const word = NUMBER_WORDS[Number(number) - 1];
  const amount = [number.replaceAll(".", "\\."), ...(word === undefined ? [] : [word])].join("|");
  return new RegExp(`(?<![\\w.,/-])(?:${amount})[\\s-]?${UNITS[unit] ?? unit}\\b`, "i");
}
