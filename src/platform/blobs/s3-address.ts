/** The address of blobs in S3: `s3://bucket/prefix?endpoint=https://s3.acme.example&region=eu-central-1`. */
export interface S3Address {
  bucket: string;
  /** "" or ending with `/`. */
  prefix: string;
  /** For stores other than Amazon's. */
  endpoint: string | null;
  region: string | null;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PARAMETERS: ReadonlySet<string> = new Set(["endpoint", "region"]);

/** @returns the problem as text, or the address */
export function parseS3Address(text: string): S3Address | string {
  if (!URL.canParse(text)) return "must be an address, s3://bucket/prefix";
  const { protocol, host, pathname, searchParams, username, password } = new URL(text);
  if (protocol !== "s3:") return "must be an address that begins with s3://";
  if (username !== "" || password !== "")
    return "must have no keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
  if (!BUCKET.test(host)) return "must have the name of a bucket: s3://bucket/prefix";
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) return `must have only the parameters endpoint and region, not ${unknown}`;
  const endpoint = searchParams.get("endpoint");
  if (endpoint !== null && !(URL.canParse(endpoint) && /^https?:/.test(endpoint)))
    return "must have an endpoint that starts with https:// or http://";
  const prefix = decodeURIComponent(pathname)
    .split("/")
    .filter((part) => part !== "")
    .join("/");
  return { bucket: host, prefix: prefix && `${prefix}/`, endpoint, region: searchParams.get("region") };
}
