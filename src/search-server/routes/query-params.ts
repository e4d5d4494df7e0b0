import { ApiError } from "../protocol/errors.ts";
import { snakeCase } from "../protocol/validate.ts";

/** Reads and checks the query of an admin route; `prefix` begins its codes: `invalid_index_limit`. */
export class QueryParams {
  readonly #params: URLSearchParams;
  readonly #prefix: string;

  constructor(url: string, prefix: string, known: readonly string[]) {
    this.#params = new URL(url).searchParams;
    this.#prefix = prefix;
    for (const name of this.#params.keys()) {
      if (known.includes(name)) continue;
      const list = known.map((name) => `\`${name}\``).join(", ");
      throw new ApiError("bad_request", `Unknown parameter \`${name}\`: expected one of ${list}`);
    }
  }

  text(name: string): string | null {
    return this.#params.get(name);
  }

  /** `*` and absence mean everything: null. */
  list(name: string): string[] | null {
    const value = this.#params.get(name);
    if (value === null || value === "*") return null;
    return value.split(",").map((item) => item.trim());
  }

  count(name: string, initial: number): number {
    const value = this.#params.get(name);
    if (value === null) return initial;
    if (/^\d{1,15}$/.test(value)) return Number(value);
    throw this.#unreadable(name, value, "a positive integer");
  }

  flag(name: string): boolean {
    const value = this.#params.get(name);
    if (value === null || value === "false") return false;
    if (value === "true") return true;
    throw this.#unreadable(name, value, "a boolean");
  }

  numbers(name: string): number[] | null {
    return (
      this.list(name)?.map((item) => {
        if (/^\d{1,15}$/.test(item)) return Number(item);
        throw this.#unreadable(name, item, "a positive integer");
      }) ?? null
    );
  }

  /** Epoch milliseconds of an RFC 3339 date. */
  date(name: string): number | null {
    const value = this.#params.get(name);
    if (value === null || value === "*") return null;
    const time = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : NaN;
    if (!Number.isNaN(time)) return time;
    throw this.#unreadable(name, value, "a date. It should follow the YYYY-MM-DD or RFC 3339 date format");
  }

  #unreadable(name: string, value: string, expected: string): ApiError {
    return new ApiError(
      `invalid_${this.#prefix}_${snakeCase(name)}`,
      `Invalid value in parameter \`${name}\`: could not parse \`${value}\` as ${expected}`,
    );
  }
}
