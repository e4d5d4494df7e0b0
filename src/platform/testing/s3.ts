/** For tests: an S3 server with an empty bucket. */
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";

export interface TestS3 {
  /** In the form of `MILLRACE_BLOB_URL`. Sets the keys in this process. */
  url: string;
  /** Stops listening. */
  stop: () => Promise<void>;
  /** Listens again, on the same port with the same objects. */
  start: () => Promise<void>;
  close: () => Promise<void>;
}

export async function startTestS3(): Promise<TestS3> {
  const directory = mkdtempSync(join(tmpdir(), "s3-"));
  const create = (port: number) =>
    new S3rver({
      port,
      address: "127.0.0.1",
      silent: true,
      directory,
      configureBuckets: [{ name: "blobs", configs: [] }],
    });
  let server = create(0);
  const { port }: AddressInfo = await server.run();
  process.env["AWS_ACCESS_KEY_ID"] = "S3RVER";
  process.env["AWS_SECRET_ACCESS_KEY"] = "S3RVER";
  return {
    url: `s3://blobs/of/tests?endpoint=http://127.0.0.1:${port}&region=us-east-1`,
    stop: () => server.close(),
    async start() {
      server = create(port);
      await server.run();
    },
    async close() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
