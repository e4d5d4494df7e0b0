/**
 * All files of the offline copy as one file, so that text repeated in a hundred pages is compressed once.
 *
 *     4 bytes         length of the header, little-endian
 *     header          JSON: the files with their lengths, and the common headers of all answers
 *     bodies          concatenated, in the order of the header
 *
 * The build writes it with the stand-in for the site's address (`docs/address/site-address.ts`); unpacking fills in the actual
 * address.
 */

export interface PackedFile {
  /** The path that it answers: `/docs/faq`, `/docs/faq.data`, `/assets/vendor-….js`. */
  path: string;
  /** `Content-Type`. */
  type: string;
  /** 404 for the "not found" page, 308 for the address of a page that has moved; absent: 200. */
  status?: number;
  /** Headers of this file only. */
  headers?: { [name: string]: string };
  body: Uint8Array;
}

interface Header {
  headers: { [name: string]: string };
  files: (Omit<PackedFile, "body"> & { bytes: number })[];
}

export interface Pack {
  /** Headers of every answer. */
  headers: { [name: string]: string };
  files: PackedFile[];
}

const LENGTH_BYTES = 4;

export function writePack({ headers, files }: Pack): Uint8Array {
  const described: Header = {
    headers,
    files: files.map(({ body, ...file }) => ({ ...file, bytes: body.length })),
  };
  const header = new TextEncoder().encode(JSON.stringify(described));
  const total = files.reduce((sum, { body }) => sum + body.length, LENGTH_BYTES + header.length);
  const bytes = new Uint8Array(total);
  new DataView(bytes.buffer).setUint32(0, header.length, true);
  bytes.set(header, LENGTH_BYTES);
  let at = LENGTH_BYTES + header.length;
  for (const { body } of files) {
    bytes.set(body, at);
    at += body.length;
  }
  return bytes;
}

/** Bodies are views into `bytes`. The caller has checked the hash. @throws Error if the lengths do not match */
export function readPack(bytes: Uint8Array): Pack {
  const headerBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const start = LENGTH_BYTES + headerBytes;
  // Written by `writePack`: the hash was compared.
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, start))) as Header;
  let at = start;
  const files = header.files.map(({ bytes: length, ...file }) => {
    const body = bytes.subarray(at, (at += length));
    return { ...file, body };
  });
  if (at !== bytes.length) throw new Error(`The offline copy has ${bytes.length} bytes instead of ${at}.`);
  return { headers: header.headers, files };
}
