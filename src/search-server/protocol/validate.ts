/** Runs a zod schema at the HTTP edge and says what is wrong in Meilisearch's words. */
import type * as z from "zod";
import { ApiError } from "./errors.ts";

type Path = readonly PropertyKey[];

export interface ValidationContext {
  /** Code of a wrong value at a path: `invalid_search_limit`. Unknown fields are always `bad_request`. */
  codeOf: (path: Path) => string;
  /** Code of a missing field; default: the code of a wrong value. */
  missingCodeOf?: (path: Path) => string;
}

export function validate<T extends z.ZodType>(
  schema: T,
  value: unknown,
  context: ValidationContext,
): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw toApiError(result.error.issues[0]!, value, context);
}

function toApiError(issue: z.core.$ZodIssue, root: unknown, context: ValidationContext): ApiError {
  const { path } = issue;
  const found = valueAt(root, path);
  if (issue.code === "custom" || issue.code === "too_big") {
    const where = path.length > 0 ? ` at \`${showPath(path)}\`` : "";
    return new ApiError(context.codeOf(path), `Invalid value${where}: ${issue.message}`);
  }
  if (issue.code === "unrecognized_keys") {
    const inside = path.length > 0 ? ` inside \`${showPath(path)}\`` : "";
    return new ApiError("bad_request", `Unknown field \`${issue.keys[0]}\`${inside}: ${issue.message}`);
  }
  if (found === undefined && path.length > 0) {
    const parent = path.slice(0, -1);
    const inside = parent.length > 0 ? ` inside \`${showPath(parent)}\`` : "";
    const code = context.missingCodeOf?.(path) ?? context.codeOf(path);
    return new ApiError(code, `Missing field \`${String(path.at(-1))}\`${inside}`);
  }
  const code = context.codeOf(path);
  const where = path.length > 0 ? ` at \`${showPath(path)}\`` : "";
  if (issue.code === "invalid_value" && typeof found === "string") {
    const options = issue.values.map((option) => `\`${String(option)}\``).join(", ");
    return new ApiError(code, `Unknown value \`${found}\`${where}: expected one of ${options}`);
  }
  if (issue.code === "invalid_type" || issue.code === "invalid_union" || issue.code === "invalid_value") {
    return new ApiError(
      code,
      `Invalid value type${where}: expected ${issue.message}, but found ${describe(found)}`,
    );
  }
  if (issue.code === "too_small" && typeof found === "number") {
    return new ApiError(
      code,
      `Invalid value type${where}: expected a positive integer, but found ${describe(found)}`,
    );
  }
  return new ApiError(code, `Invalid value${where}: ${issue.message}`);
}

/** `.queries[0].limit` */
function showPath(path: Path): string {
  return path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (value === null || typeof value !== "object") return undefined;
    // Read only; the key comes from the schema's own path into this value.
    value = Object.hasOwn(value, key) ? (value as { [key: PropertyKey]: unknown })[key] : undefined;
  }
  return value;
}

function describe(value: unknown): string {
  if (value === null) return "null";
  const json = JSON.stringify(value);
  const shown = json.length > 200 ? `${json.slice(0, 200)}…` : json;
  if (Array.isArray(value)) return `an array: \`${shown}\``;
  if (typeof value === "object") return `an object: \`${shown}\``;
  if (typeof value === "string") return `a string: \`${shown}\``;
  if (typeof value === "boolean") return `a boolean: \`${shown}\``;
  if (!Number.isInteger(value)) return `a number: \`${shown}\``;
  return Number(value) < 0 ? `a negative integer: \`${shown}\`` : `a positive integer: \`${shown}\``;
}

/** `attributesToRetrieve` → `attributes_to_retrieve`, for the names of codes. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
