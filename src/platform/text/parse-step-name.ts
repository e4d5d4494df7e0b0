/** Parses a step's name: `[linux/arm64 deps 2/2] RUN pnpm install` */
export interface StepName {
  /** "linux/arm64"; in a cross build the target. Null when the name has none. */
  platform: string | null;
  /** "deps"; "internal" for the builder's own work, "export" for the end of a build; "" when the name has none. */
  stage: string;
  /** 2 of 2. */
  place: { at: number; of: number } | null;
  /** "RUN"; "" when it is not an instruction. */
  keyword: string;
  /** "pnpm install". */
  rest: string;
}

const PLATFORM = /^[a-z][a-z0-9]{0,15}\/[a-z][a-z0-9]{0,15}(?:\/v\d{1,2})?$/;
const PLACE = /^(\d{1,4})\/(\d{1,4})$/;
const KEYWORD =
  /^(ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|RUN|SHELL|USER|VOLUME|WORKDIR) /;
const EXPORT = /^(?:exporting|pushing|push|export|sending tarball|writing image|importing to) ?/;

/** @param text on one line, with single spaces */
export function parseStepName(text: string): StepName {
  const end = text.indexOf("] ");
  const isNamed = text.startsWith("[") && end > 0;
  const words = isNamed ? text.slice(1, end).split(" ") : [];
  const body = isNamed ? text.slice(end + 2) : text;
  const platform = takePlatform(words);
  const place = takePlace(words);
  const keyword = KEYWORD.exec(body)?.[1] ?? "";
  const stage = words.join(" ");
  return {
    platform,
    stage: stage === "" && !isNamed ? (EXPORT.test(body) ? "export" : "internal") : stage,
    place,
    keyword,
    rest: keyword === "" ? body : body.slice(keyword.length + 1),
  };
}

/** `linux/amd64`, `linux/amd64->arm64`, `linux/amd64->linux/arm64`. */
function takePlatform(words: string[]): string | null {
  const [builds = "", builtFor] = (words[0] ?? "").split("->");
  if (!PLATFORM.test(builds)) return null;
  words.shift();
  if (builtFor === undefined) return builds;
  const system = builds.slice(0, builds.indexOf("/"));
  const whole = builtFor.includes("/") && PLATFORM.test(builtFor) ? builtFor : `${system}/${builtFor}`;
  return PLATFORM.test(whole) ? whole : builds;
}

function takePlace(words: string[]): StepName["place"] {
  const match = PLACE.exec(words.at(-1) ?? "");
  if (!match) return null;
  words.pop();
  return { at: Number(match[1]), of: Number(match[2]) };
}
