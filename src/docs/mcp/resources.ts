/**
 * The pages as resources, for clients that let their users put documents into a conversation. A page's address with `.md` is its
 * name here, as on the site.
 *
 *     resources/list                                      50 pages, and a cursor for the next ones
 *     resources/read {"uri":"https://docs.example.com/docs/cache/overview.md"}
 */
import {
  INVALID_PARAMS,
  ProtocolError,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type TextResourceContents,
} from "@modelcontextprotocol/server";
import { fillPlaceholders } from "../content/page/placeholders.ts";
import { previewNote } from "../content/page/preview-note.ts";
import type { Page } from "../content/types.ts";
import type { Library } from "./library.ts";
import { MAX_ADDRESS_LENGTH, MAX_CURSOR_LENGTH, RESOURCES_PER_LIST } from "./limits.ts";
import { parsePageAddress } from "./page-address.ts";

const MARKDOWN = "text/markdown";

export interface Resources {
  /** @param cursor of the last answer. @throws ProtocolError for another */
  list: (cursor: string | undefined) => { resources: Resource[]; nextCursor?: string };
  templates: ResourceTemplateType[];
  /** @throws ResourceNotFoundError */
  read: (uri: string) => TextResourceContents;
}

export function createResources(origin: string, library: Library): Resources {
  const pages = [...library.pages.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const uriOf = ({ path }: Page) => `${origin}${path}.md`;
  return {
    templates: [
      {
        name: "page",
        title: "A page of the documentation",
        uriTemplate: `${origin}/docs/{+page}.md`,
        mimeType: MARKDOWN,
      },
    ],
    list(cursor) {
      const from = cursor === undefined ? 0 : placeAfter(pages, cursor);
      const shown = pages.slice(from, from + RESOURCES_PER_LIST);
      const last = shown.at(-1);
      const resources = shown.map((page): Resource => {
        const fill = (text: string) => fillPlaceholders(text, origin);
        const { path, title, description } = page;
        return {
          uri: uriOf(page),
          name: path,
          title: fill(title),
          description: fill(description),
          mimeType: MARKDOWN,
        };
      });
      const isEnd = from + shown.length >= pages.length;
      return { resources, ...(last && !isEnd && { nextCursor: toCursor(last) }) };
    },
    read(uri) {
      const place = uri.length > MAX_ADDRESS_LENGTH ? null : parsePageAddress(uri, origin, library);
      const page = library.pages.get(place?.path ?? "");
      if (!page) throw new ResourceNotFoundError(uri.slice(0, MAX_ADDRESS_LENGTH));
      return { uri: uriOf(page), mimeType: MARKDOWN, text: textOf(page, origin) };
    },
  };
}

/** The whole page: a client that asks for a resource expects all of it. */
function textOf(page: Page, origin: string): string {
  const text = fillPlaceholders(page.markdown, origin).trim();
  return `${[...previewNote(page).map((note) => `${note}\n\n`), text].join("")}\n`;
}

/** It names the last page shown, so that it holds while pages come and go. */
const toCursor = ({ path }: Page) => Buffer.from(path).toString("base64url");

function placeAfter(pages: readonly Page[], cursor: string): number {
  const path = cursor.length > MAX_CURSOR_LENGTH ? "" : Buffer.from(cursor, "base64url").toString();
  if (!path.startsWith("/") || Buffer.from(path).toString("base64url") !== cursor)
    throw new ProtocolError(INVALID_PARAMS, "This cursor is not from a list of this server.");
  const next = pages.findIndex((page) => page.path > path);
  return next < 0 ? pages.length : next;
}
