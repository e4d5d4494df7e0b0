/*
 * The search of the German edition, on the current pages:
 * 1. Each question finds its page within its place: German pages for what is translated, English ones for the rest.
 * 2. A German page comes before the English page that it translates: that one is not in the index.
 * 3. Umlauts, ß and their spellings without a key for them find the same pages, and so do singular and plural.
 */
import { beforeAll, expect, test } from "vitest";
import { findPages } from "#docs/author/find-pages.ts";
import { buildTranslatedIndex, inflectOf } from "#docs/docs-index.ts";
import { documents, openIndex, type OpenedIndex } from "#search/index.ts";
import { compileContent } from "../../scripts/steps/content-step.ts";

const START = "/de/docs";
const WORDS = "/de/docs/core-concepts";
const QUICK = "/de/docs/container-builds/quickstart";
const REGISTRY = "/de/docs/registry/quickstart";
const CLI = "/de/docs/cli/installation";

const QUESTIONS: [query: string, page: string, within: number][] = [
  ["erste schritte", START, 1],
  ["wo anfangen", START, 1],
  ["schnellstart", QUICK, 2],
  ["erstes image bauen", QUICK, 2],
  ["warum ist der zweite build schneller", QUICK, 3],
  ["was ist ein projekt", WORDS, 1],
  ["was ist eine organisation", WORDS, 1],
  ["grundbegriffe", WORDS, 1],
  ["glossar", WORDS, 1],
  ["vertrauensbeziehung", WORDS, 1],
  ["welche rolle darf projekte loeschen", WORDS, 2],
  ["eigentümer lädt mitglieder ein", WORDS, 2],
  ["was bedeutet layer", WORDS, 3],
  ["zwischenspeicher", WORDS, 3],
  ["präfix der id", WORDS, 1],
  ["alle limits", WORDS, 2],
  ["image hochladen", REGISTRY, 1],
  ["images abrufen mit docker", REGISTRY, 1],
  ["docker anmelden", REGISTRY, 2],
  ["token mit leserecht", REGISTRY, 1],
  ["digest im manifest festhalten", REGISTRY, 1],
  ["image läuft nicht ab", REGISTRY, 1],
  ["cli installieren", CLI, 1],
  ["kommandozeile installieren", CLI, 1],
  ["installation ohne npm", CLI, 1],
  ["prüfsumme prüfen", CLI, 1],
  ["cli aktualisieren", CLI, 1],
  ["millrace in der ci installieren", CLI, 2],
  ["mitglied einladen", WORDS, 3],
  // Not translated: the English pages.
  ["terraform", "/docs/core-concepts/what-exists", 3],
  ["troubleshooting", "/docs/container-builds/troubleshooting", 1],
  ["datensicherung wiederherstellen", "/docs/managed/overview/backup", 3],
  ["fehlersuche", "/docs/container-builds/troubleshooting", 2],
];

let index: OpenedIndex;
const find = (query: string) => findPages(index, query).map((address) => address.split("#")[0]!);

beforeAll(async () => {
  const content = await compileContent();
  const [german] = content.editions;
  index = openIndex(buildTranslatedIndex(german!, content), { inflect: inflectOf("de") });
}, 180_000);

test.each(QUESTIONS)("1. %s", (query, page, within) => {
  const came = [...new Set(find(query))];
  const rank = came.indexOf(page) + 1;
  expect(rank > 0 && rank <= within, `wanted ${page} within ${within}, came:\n${came.join("\n")}`).toBe(true);
});

test("2. a translated page replaces the English one", () => {
  const urls = new Set(
    [...documents(index)].map(({ url }) => String(url).replace(/^[^/]*\/\/[^/]+|#.*$/g, "")),
  );
  expect(urls).toContain(QUICK);
  expect(urls).not.toContain(QUICK.replace("/de", ""));
  expect(urls).toContain("/docs/faq");
});

test.each([
  ["löschen", "loeschen"],
  ["Prüfsumme", "pruefsumme"],
  ["Schlüssel", "schluessel"],
  ["Eigentümer", "eigentuemer"],
  ["Größe", "groesse"],
])("3. %s finds what %s finds", (one, other) => expect(find(one)[0]).toBe(find(other)[0]));

test.each([
  ["Verzeichnis", "Verzeichnisse"],
  ["Organisation", "Organisationen"],
  ["Anmeldung", "Anmeldungen"],
  ["Sitzung", "Sitzungen"],
])("3. %s finds what %s finds", (one, other) => {
  expect(find(one)[0]).toMatch(/^\/de\//);
  expect(find(other)).toContain(find(one)[0]);
});
