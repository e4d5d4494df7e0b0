/** Addresses of a repository, and its registry's refusals. */
import { CliError, EXIT_NOT_FOUND } from "../errors.ts";
import { cleanText } from "../text.ts";
import { MAX_ANSWER_BYTES } from "./limits.ts";
import { parseFields, readBody, type RepositoryOptions } from "./registry-access.ts";

export const addressOf = ({ origin, path }: RepositoryOptions, rest: string): URL =>
  new URL(`/v2/${path}/${rest}`, origin);

/** A registry's refusal, in its own words. */
export async function refusal(
  { origin, path }: RepositoryOptions,
  answer: Response,
  what: string,
): Promise<CliError> {
  const { errors } = parseFields(await readBody(answer, MAX_ANSWER_BYTES).catch(() => Buffer.alloc(0)));
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const { code, message } = (typeof first === "object" && first !== null ? first : {}) as {
    code?: unknown;
    message?: unknown;
  };
  const words = [code, message].filter((part) => typeof part === "string" && part !== "").join(": ");
  const said = words === "" ? `it responded with ${answer.status}` : cleanText(words).slice(0, 500);
  return new CliError(
    `${new URL(origin).host}/${path} ${what}: ${said}`,
    answer.status === 404 ? EXIT_NOT_FOUND : undefined,
  );
}
