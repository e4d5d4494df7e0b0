/** All objects of a list, page by page. */
import { CliError } from "./errors.ts";

const PAGE_SIZE = 100;
/** A hundred thousand objects. A server with endless pages must not fill the memory. */
const MAX_PAGES = 1000;

export async function readAllPages<Item>(
  readPage: (request: {
    pageSize: number;
    pageToken: string;
  }) => Promise<{ items: Item[]; nextPageToken: string }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let pageToken = "";
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await readPage({ pageSize: PAGE_SIZE, pageToken });
    items.push(...answer.items);
    if (answer.nextPageToken === "") return items;
    pageToken = answer.nextPageToken;
  }
  throw new CliError(`the list does not end after ${MAX_PAGES} pages`);
}
