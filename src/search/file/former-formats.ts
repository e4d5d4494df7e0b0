/**
 * Documents and settings of index files that former versions wrote, to build them anew. The rest of such a file is
 * not read.
 *
 *   1, 2   each distinct text once; a document is its shape and the numbers of its texts
 *   3      documents as today; until here the checksum is one sum
 *   4, 5   documents and checksum as today
 *
 * A format is added here when `FORMAT_VERSION` is raised; former-formats.test.ts has a file of each.
 */
import { defaultSettings } from "../contract/defaults.ts";
import { type IndexSettings, type Json, type SearchDocument, SearchError } from "../contract/types.ts";
import { type Container, formatOf, readContainerOf } from "./container.ts";
import { DocumentStore } from "./document-store.ts";
import { decodeUtf8 } from "./utf8.ts";

interface FormerIndex {
  documents: SearchDocument[];
  settings: IndexSettings;
}

interface FormerFormat {
  checksum?: (bytes: Uint8Array) => number;
  documents: (file: Container) => SearchDocument[];
}

const FORMATS: { [format: number]: FormerFormat } = {
  1: { checksum: singleSum, documents: readPlainDocuments },
  2: { checksum: singleSum, documents: readPlainDocuments },
  3: { checksum: singleSum, documents: readDocuments },
  4: { documents: readDocuments },
  5: { documents: readDocuments },
};

/** @throws SearchError `index_foreign`, `index_version`, `index_truncated` or `index_damaged` */
export function readFormerIndex(bytes: Uint8Array): FormerIndex {
  const number = formatOf(bytes);
  const format = FORMATS[number ?? 0];
  if (number === null || !format) {
    const known = Object.keys(FORMATS).join(", ");
    throw new SearchError(
      "index_version",
      `The index has format ${number}; the former formats are ${known}.`,
    );
  }
  const file = readContainerOf(bytes, number, format.checksum);
  // Written by `buildIndex`, proved by the file's checksum; later versions have added settings.
  const meta = JSON.parse(textOf(file, "meta")) as { settings: Partial<IndexSettings> };
  return {
    documents: format.documents(file),
    settings: { ...defaultSettings(), ...meta.settings } as IndexSettings,
  };
}

function readDocuments(file: Container): SearchDocument[] {
  const store = new DocumentStore(file);
  return Array.from({ length: store.count }, (_, id) => store.read(id));
}

function readPlainDocuments(file: Container): SearchDocument[] {
  const shapes = JSON.parse(textOf(file, "documents.shapes")) as string[][];
  const starts = file.words("documents.starts");
  const numbers = file.numbers("documents.numbers");
  const offsets = file.words("documents.offsets");
  const texts = file.bytes("documents.text");
  const valueOf = (number: number): Json => {
    const text = decodeUtf8(texts, offsets[number >>> 1]!, offsets[(number >>> 1) + 1]!);
    return number & 1 ? (JSON.parse(text) as Json) : text;
  };
  return Array.from({ length: starts.length - 1 }, (_, id) => {
    const start = starts[id]!;
    const names = shapes[numbers[start]!]!;
    // Unlike an assignment, this keeps an attribute called `__proto__`.
    return Object.fromEntries(names.map((name, at) => [name, valueOf(numbers[start + 1 + at]!)]));
  });
}

function textOf(file: Container, section: string): string {
  const bytes = file.bytes(section);
  return decodeUtf8(bytes, 0, bytes.length);
}

/** The checksum of formats 1 to 3. */
function singleSum(bytes: Uint8Array): number {
  const from = 20;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + from, (bytes.length - from) >>> 2);
  let sum = bytes.length;
  for (const word of words) {
    sum = Math.imul(sum ^ word, 0x9e3779b1);
    sum = (sum << 13) | (sum >>> 19);
  }
  for (let at = from + words.length * 4; at < bytes.length; at++)
    sum = Math.imul(sum ^ bytes[at]!, 0x85ebca6b);
  return (sum ^ (sum >>> 16)) >>> 0;
}
