/** The worst bodies of other forms: of a page's form, of a table, of an error report, of messages in a stream. */
import { join, repeat, type Shape } from "./shapes.ts";

const again = (name: string, unit: string | readonly number[], begin = ""): Shape => ({
  name,
  make: (size) => Buffer.concat([Buffer.from(begin), repeat(unit, size - begin.length)]),
});

const many = (name: string, between: string, part: (at: number) => string, begin = ""): Shape => ({
  name,
  make: (size) => join(size, { begin, part, between, end: "" }),
});

export const formShapes: readonly Shape[] = [
  again("pairs of one name", "a=&"),
  many("pairs of a name each", "&", (at) => `n${at.toString(36)}=`),
  again("separators", "&"),
  again("equals signs", "="),
  again("escapes", "%61", "client_name="),
  again("half of an escape", "%", "client_name="),
  again("escapes that are no UTF-8", "%ff", "client_name="),
  again("signs, escaped", "%F0%9F%91%A9", "client_name="),
  again("blanks", "+", "client_name="),
  again("marks above nothing", "%CC%81", "client_name=a"),
  again("a code", "a", "grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code="),
  again("base64", "e30s", "data="),
  again("base64 of gzip", "AAAA", "data=H4sI"),
];

export const tableShapes: readonly Shape[] = [
  many("columns", ",", (at) => `c${at.toString(36)}`),
  again("empty columns", ","),
  again(
    "wide empty rows",
    `${",".repeat(999)}\n`,
    `${Array.from({ length: 1000 }, (_, at) => `c${at}`).join(",")}\n`,
  ),
  again("rows", "1,2\n", "id,title\n"),
  again("empty rows", "\n", "id\n"),
  again("rows with too much", "1,2,3,4\n", "id\n"),
  again("an open quote", "a", 'id\n"'),
  again("quotes", '""', 'id\n"'),
  again("quotes in the head", '"'),
  many("columns with types", ",", (at) => `c${at}:number`),
];

const EVENT = '{"type":"event"}\n{}\n';

export const envelopeShapes: readonly Shape[] = [
  again("reports", EVENT, "{}\n"),
  again("parts of another type", '{"type":"a"}\n\n', "{}\n"),
  again("parts of no length", '{"type":"event","length":0}\n\n', "{}\n"),
  again("lines", "\n", "{}\n"),
  again("a long part", "a", '{}\n{"type":"event"}\n'),
  again("lists in a report", "[", '{}\n{"type":"event"}\n'),
  again("frames", '{"lineno":1},', '{}\n{"type":"event"}\n{"exception":{"values":[{"stacktrace":{"frames":['),
];

/** Frames of gRPC and similar protocols: each message has its length before it. */
export const frameShapes: readonly Shape[] = [
  again("empty messages", [0, 0, 0, 0, 0]),
  again("messages of two bytes", [0, 0, 0, 0, 2, 8, 0]),
  again("messages of two bytes of JSON", [0, 0, 0, 0, 2, 0x7b, 0x7d]),
  again("compressed empty messages", [1, 0, 0, 0, 0]),
  again("ends of a stream", [2, 0, 0, 0, 2, 0x7b, 0x7d]),
  again("ends of gRPC-Web", [0x80, 0, 0, 0, 0]),
  again("a message that is larger than what comes", [0x61], "\0\x7f\x7f\x7f\x7f"),
  again("invalid heads", [0xff]),
];
