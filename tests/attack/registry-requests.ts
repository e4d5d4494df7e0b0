/** Requests that the registry must refuse, each with its oddity. */
import type { Sent } from "./requests.ts";
import { type AttackedRepository, digestOf, emptyIndex, OCI_IMAGE, putManifest } from "./registry-client.ts";

type Strange = [name: string, sent: Sent];

const DIGEST = `sha256:${"0".repeat(64)}`;

export function strangeAddresses({ base, name }: AttackedRepository): Strange[] {
  const paths: [string, string][] = [
    ["a name that goes up", `/v2/../${name}/tags/list`],
    ["a name that goes up, encoded", "/v2/%2e%2e/%2e%2e/etc/manifests/latest"],
    ["a reference that goes up", `${base}/manifests/..%2f..%2f..%2fetc%2fpasswd`],
    ["a digest that goes up", `${base}/blobs/..`],
    ["an upload that goes up", `${base}/blobs/uploads/..%2f..`],
    ["an upload that is not an id", `${base}/blobs/uploads/%00`],
    ["a NUL", `${base}/manifests/%00`],
    ["half of an escape", `${base}/manifests/%E0%A4%A`],
    ["letters that look alike", `${base}/manifests/${encodeURIComponent("l\u0430test")}`],
    ["a name in capitals", "/v2/First/Web/tags/list"],
    ["a name of 256 characters", `/v2/${"a".repeat(200)}/${"b".repeat(55)}/tags/list`],
    ["a tag of 129 characters", `${base}/manifests/${"a".repeat(129)}`],
    ["a digest of 3,000 characters", `${base}/manifests/a:${"b".repeat(3_000)}`],
    ["a name of nothing", "/v2//manifests/latest"],
    ["names of parts of addresses", "/v2/blobs/uploads/manifests/tags/referrers/x"],
    ["an address of 8,000 characters", `${base}/manifests/${"a".repeat(8_000)}`],
    ["a negative n", `${base}/tags/list?n=-1`],
    ["n of 300 digits", `${base}/tags/list?n=${"9".repeat(300)}`],
    ["last that is not a tag", `${base}/tags/list?last=${encodeURIComponent("' or 1=1 --")}`],
    ["a name of the language", `${base}/__proto__/constructor`],
  ];
  return paths.map(([title, path]) => [title, { path }]);
}

export function strangeManifests(repository: AttackedRepository): Strange[] {
  const put = (body: string, type?: string, reference = "hostile") =>
    putManifest(repository, reference, body, type);
  const layer = { mediaType: "application/vnd.oci.image.layer.v1.tar", digest: DIGEST, size: 1 };
  const image = (fields: object) => JSON.stringify({ schemaVersion: 2, mediaType: OCI_IMAGE, ...fields });
  const most = 3.9 * 1024 * 1024;
  return [
    ["4 MB of lists in each other", put("[".repeat(most))],
    ["4 MB of objects in each other", put('{"a":'.repeat(most / 5))],
    ["deep JSON that ends", put(`${'{"a":'.repeat(300_000)}1${"}".repeat(300_000)}`)],
    ["4 MB of backslashes", put(`{"a":"${"\\".repeat(most)}"}`)],
    ["4 MB of quotes", put(`{"a":"${'\\"'.repeat(most / 2)}`)],
    ["a million members", put(`{${Array.from({ length: 300_000 }, (_, at) => `"${at}":0`).join(",")}}`)],
    ["the same member twice", put('{"schemaVersion":2,"schemaVersion":2}')],
    ["two spellings of a member", put(emptyIndex({ Manifests: [] }))],
    [
      "4,095 layers that are not there",
      put(image({ config: layer, layers: Array.from({ length: 4_095 }, () => layer) }), OCI_IMAGE),
    ],
    [
      "4,096 layers",
      put(image({ config: layer, layers: Array.from({ length: 4_096 }, () => layer) }), OCI_IMAGE),
    ],
    ["a digest of 3 MB", put(emptyIndex({ subject: { ...layer, digest: `a:${"b".repeat(3_000_000)}` } }))],
    ["a size below nothing", put(image({ config: { ...layer, size: -1 } }), OCI_IMAGE)],
    ["a type with a line break", put(emptyIndex({ artifactType: "a/b\r\nset-cookie: c=d" }))],
    ["an invalid type", put(emptyIndex(), "text")],
    ["another digest", put(emptyIndex(), undefined, DIGEST)],
    ["an invalid tag beside a digest", put(emptyIndex(), undefined, `${DIGEST}?tag=..`)],
  ];
}

export function strangeUploads({ base }: AttackedRepository): Strange[] {
  const post = (query: string, more: Partial<Sent> = {}): Sent => ({
    method: "POST",
    path: `${base}/blobs/uploads/${query}`,
    ...more,
  });
  return [
    ["a blob with another digest", post(`?digest=${DIGEST}`, { body: "content" })],
    ["a blob with an invalid digest", post("?digest=md5:0123", { body: "content" })],
    ["a mount of an invalid digest", post("?mount=sha256:..%2f..&from=first/web")],
    [
      "a range that is not the body's",
      post(`?digest=${digestOf("content")}`, { body: "content", headers: { "content-range": "0-99" } }),
    ],
    [
      "a range without numbers",
      post(`?digest=${digestOf("content")}`, { body: "content", headers: { "content-range": "bytes */*" } }),
    ],
    [
      "a range of 100 TB",
      post(`?digest=${DIGEST}`, { body: "c", headers: { "content-range": "0-99999999999999" } }),
    ],
  ];
}

export function strangeTokens({ name }: AttackedRepository): Strange[] {
  const scopes = (count: number, make: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => `scope=${encodeURIComponent(make(at))}`).join("&");
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const post = (body: string): Sent => ({ method: "POST", path: "/v2/token", headers: form, body });
  return [
    ["50 scopes in one address", { path: `/v2/token?${scopes(50, (at) => `repository:a/b${at}:pull`)}` }],
    ["500 scopes", post(scopes(500, (at) => `repository:a/b${at}:pull`))],
    ["a scope of 15,000 characters", post(scopes(1, () => `repository:${"a/".repeat(7_500)}:pull`))],
    ["a scope of colons", post(scopes(1, () => `repository${":".repeat(3_000)}`))],
    ["a scope of all actions", post(scopes(1, () => `repository:${name}:${"pull,".repeat(700)}*`))],
    ["a scope of another kind", post(scopes(1, () => "registry:catalog:*"))],
    ["a form of 1 MB", post(`scope=${"a".repeat(1_000_000)}`)],
  ];
}
