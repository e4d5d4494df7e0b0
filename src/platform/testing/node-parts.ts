/** For tests: content that is sent whole, in part, or not at all to a client that already has it. */
import { expect } from "vitest";

export interface PartAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** @param get requests the content with these headers */
export async function expectParts(
  get: (headers: Record<string, string>) => Promise<PartAnswer>,
  { body, etag }: { body: Buffer; etag: string },
): Promise<void> {
  const size = body.length;
  const known = await get({ "if-none-match": `"x", W/${etag}` });
  expect([known.status, known.body.length]).toEqual([304, 0]);
  for (const [range, start, end] of [
    ["bytes=0-0", 0, 1],
    ["bytes=1-", 1, size],
    ["bytes=-5", Math.max(0, size - 5), size],
    [`bytes=${size >> 1}-${size * 2}`, size >> 1, size],
  ] as const) {
    const part = await get({ range });
    if (start >= size) {
      expect([range, part.status, part.headers["content-range"]]).toEqual([range, 416, `bytes */${size}`]);
      continue;
    }
    expect([range, part.status]).toEqual([range, 206]);
    expect(part.headers["content-range"]).toBe(`bytes ${start}-${end - 1}/${size}`);
    expect(part.body.equals(body.subarray(start, end))).toBe(true);
  }
}
