/**
 * The content of a write's body. Checked before it is accepted (here if small, else in a thread) and read
 * again by the build.
 */
import { readFile } from "node:fs/promises";
import * as z from "zod";
import type { SearchDocument, SearchQuery } from "#search/index.ts";
import type { PayloadSource } from "../catalog/payload-store.ts";
import { type DocumentsForm, parseDocuments } from "./documents.ts";
import { ApiError } from "../protocol/errors.ts";
import { closedObject, filter, list, text } from "../protocol/fields.ts";
import { MAX_SETTING_ITEMS } from "../protocol/limits.ts";
import { parseJsonBody } from "./parse-json-body.ts";
import { type SettingName, type SettingsBody, settingsContext, settingsSchema } from "../settings/schema.ts";
import { snakeCase, validate, type ValidationContext } from "../protocol/validate.ts";

export type PayloadForm =
  | ({ kind: "documents" } & DocumentsForm)
  | { kind: "ids" }
  | { kind: "filter" }
  /** All settings, or the value of one. */
  | { kind: "settings"; setting: SettingName | null };

export type PayloadContent =
  | { kind: "documents"; documents: SearchDocument[] }
  | { kind: "ids"; ids: string[] }
  | { kind: "filter"; filter: NonNullable<SearchQuery["filter"]> }
  | { kind: "settings"; body: SettingsBody };

type Details = { [name: string]: unknown };

const id = z.union([text, z.int("an integer")], "a string or an integer");
const idsSchema = list(id, MAX_SETTING_ITEMS);
const filterSchema = closedObject({ filter });
const filterContext: ValidationContext = {
  codeOf: (path) => (path.length > 0 ? `invalid_document_${snakeCase(String(path[0]))}` : "bad_request"),
};

/** @throws ApiError if it is malformed or wrong */
export function readPayload(form: PayloadForm, bytes: Uint8Array): PayloadContent {
  const content = new TextDecoder().decode(bytes);
  if (form.kind === "documents") return { kind: "documents", documents: parseDocuments(content, form) };
  const value = parseJsonBody(content);
  switch (form.kind) {
    case "ids":
      return { kind: "ids", ids: validate(idsSchema, value, { codeOf: () => "bad_request" }).map(String) };
    case "filter": {
      const { filter: given } = validate(filterSchema, value, filterContext);
      if (given == null) throw new ApiError("missing_document_filter", "Missing field `filter`");
      if (isEmptyFilter(given))
        throw new ApiError("invalid_document_filter", "Sending an empty filter is forbidden.");
      return { kind: "filter", filter: given };
    }
    case "settings": {
      const body = form.setting === null ? value : { [form.setting]: value };
      return { kind: "settings", body: validate(settingsSchema, body, settingsContext) };
    }
  }
}

/** It would delete every document, which hardly anyone means. */
function isEmptyFilter(given: NonNullable<SearchQuery["filter"]>): boolean {
  return typeof given === "string" ? given.trim() === "" : given.flat().every((part) => part.trim() === "");
}

/** A task's details about its payload before it runs; long values are left out. */
export function describePayload(content: PayloadContent, maximumLength: number): Details {
  switch (content.kind) {
    case "documents":
      return { receivedDocuments: content.documents.length, indexedDocuments: null };
    case "ids":
      return { providedIds: content.ids.length, deletedDocuments: null, originalFilter: null };
    case "filter": {
      const originalFilter = JSON.stringify(content.filter);
      return shorten({ providedIds: 0, deletedDocuments: null, originalFilter }, maximumLength);
    }
    case "settings":
      return shorten(content.body, maximumLength);
  }
}

/** Tasks are remembered by the thousand. */
function shorten(details: Details, maximumLength: number): Details {
  if (JSON.stringify(details).length <= maximumLength) return details;
  const longest = maximumLength / 32;
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => {
      const { length } = JSON.stringify(value ?? null);
      return [name, length > longest ? `(${length} characters, not stored)` : value];
    }),
  );
}

/** @throws the system's error */
export async function loadPayload(source: PayloadSource): Promise<Uint8Array> {
  return "bytes" in source ? source.bytes : readFile(source.file);
}
