/**
 * 1. A manifest comes back as it was pushed, with its type, digest, length and entity tag; HEAD returns the same without the
 *    bytes; a client that already has it gets 304.
 * 2. An invalid manifest is refused with the code of the specification, and the field that is wrong.
 * 3. Deletes are answered with 202, and anything missing with 404, whatever the request.
 * 4. Lists say where they continue, until they end.
 * 5. Referrers are an index, even of an unknown digest; the answer says that a filter was applied.
 * 6. A GET is a pull and a HEAD is not; pulls are written, with the last puller, at the end at the latest.
 * 7. Watchers are notified of pushes and deletes, of a tag at most once a minute.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { digestOf, type AskOptions, openTestClient, type TestClient } from "../testing/client.ts";
import {
  asManifest,
  makeImage,
  OCI_CONFIG,
  OCI_IMAGE,
  OCI_INDEX,
  type TestImage,
} from "../testing/images.ts";

const time = { now: Date.parse("2026-11-22T00:00:00Z") };
let client: TestClient;

beforeEach(async () => {
  client = await openTestClient("sqlite", { clock: () => time.now });
});
afterEach(() => client.close());

const ask = (method: string, path: string, options: AskOptions = {}) =>
  client.ask(method, `/v2/acme/web${path}`, options);
const image = (how: Parameters<typeof makeImage>[2] = {}) => makeImage(client.test, client.projects.web, how);
const put = (reference: string, { bytes }: Pick<TestImage, "bytes">, type = OCI_IMAGE) =>
  ask("PUT", `/manifests/${reference}`, { body: bytes, headers: { "content-type": type } });

test("1. pushed and pulled", async () => {
  const pushed = await image();
  const answer = await put("1.4", pushed);
  expect([answer.status, answer.text]).toEqual([201, ""]);
  expect(answer.headers).toMatchObject({
    location: `/v2/acme/web/manifests/${pushed.digest}`,
    "docker-content-digest": pushed.digest,
  });
  expect(answer.headers["oci-subject"]).toBeUndefined();
  for (const reference of ["1.4", pushed.digest, pushed.digest.replace(":", "%3A")])
    for (const method of ["GET", "HEAD"]) {
      const accept = "text/html";
      const pulled = await ask(method, `/manifests/${reference}`, { headers: { accept } });
      expect(pulled.status).toBe(200);
      expect(pulled.headers).toMatchObject({
        "content-type": OCI_IMAGE,
        "content-length": String(pushed.bytes.length),
        "docker-content-digest": pushed.digest,
        etag: `"${pushed.digest}"`,
      });
      expect(pulled.body).toEqual(method === "HEAD" ? Buffer.alloc(0) : pushed.bytes);
    }
  const known = { "if-none-match": `"x", W/"${pushed.digest}"` };
  const same = await ask("GET", "/manifests/1.4", { headers: known });
  expect([same.status, same.text]).toEqual([304, ""]);
  expect((await ask("GET", "/manifests/1.4", { headers: { "if-none-match": '"x"' } })).status).toBe(200);
  // Parameters of the type are ignored; without a type, the manifest's own counts.
  for (const type of [`${OCI_IMAGE}; charset=utf-8`, ""]) {
    expect((await put("typed", pushed, type)).status).toBe(201);
    expect((await ask("HEAD", "/manifests/typed")).headers["content-type"]).toBe(OCI_IMAGE);
  }
  const sha512 = digestOf(pushed.bytes, "sha512");
  const tagged = await put(`${sha512}?tag=a&tag=b`, pushed);
  expect([tagged.status, tagged.headers["docker-content-digest"], tagged.headers["oci-tag"]]).toEqual([
    201,
    sha512,
    "a, b",
  ]);
  // Content that is not an image's manifest is stored as it is.
  const opaque = { bytes: Buffer.from([0xff, 0, 1]) };
  expect((await put("opaque", opaque, "application/vnd.example")).status).toBe(201);
  expect((await ask("GET", "/manifests/opaque")).body).toEqual(opaque.bytes);
});

test("2. what is refused", async () => {
  const { config, layers, bytes } = await image();
  const asConfig = { mediaType: OCI_CONFIG, ...config };
  const layer = { mediaType: "x/y", ...layers[0]! };
  const fields = { config: asConfig, layers: [layer] };
  const text = (from: object) => Buffer.from(JSON.stringify({ schemaVersion: 2, ...from }));
  const written = bytes.toString();
  const deep = `${"[".repeat(40)}${"]".repeat(40)}`;
  const cases: [Buffer | string, RegExp, string?][] = [
    ["", /not valid JSON/],
    ["[]", /not an object/],
    ["{}", /schemaVersion is missing/],
    [Buffer.from([0x22, 0xff, 0x22]), /not valid JSON/],
    [written.replace("{", '{"layers":[],'), /the field "layers" appears twice/],
    [written.replace("{", String.raw`{"l\u0061yers":[],`), /the field "layers" appears twice/],
    [written.replace('"config":{', '"config":{"size":1,'), /the field "size" appears twice/],
    [written.replace("{", '{"Layers":[],'), /the field "Layers" must be spelled layers/],
    [written.replace("{", `{"x":${deep},`), /nested more than/],
    [text({ layers: [layer] }), /config is missing; it must be an object/],
    [text({ ...fields, layers: {} }), /layers is \{\}; it must be a list/],
    [text({ ...fields, layers: [{ ...layer, digest: "sha256:1" }] }), /layers\[0\]\.digest is "sha256:1"/],
    [text({ ...fields, layers: [{ ...layer, size: -1 }] }), /layers\[0\]\.size is -1/],
    [text({ ...fields, layers: [{ ...layer, size: "1" }] }), /layers\[0\]\.size is "1"/],
    [text({ ...fields, layers: Array.from({ length: 5_000 }, () => layer) }), /layers has 5000 entries/],
    [text({ ...fields, annotations: { a: 1 } }), /annotations\["a"\] is 1/],
    [text({ ...fields, artifactType: "x".repeat(300) }), /artifactType is/],
    [text({ ...fields, subject: "x" }), /subject is "x"/],
    [text({ ...fields, manifests: [] }), /an image cannot have the field manifests/],
    [text({ ...fields, mediaType: OCI_INDEX }), /mediaType is .*index.*, but Content-Type is .*manifest/],
    [text({ ...fields, schemaVersion: 1 }), /schema 1 is not supported/],
    [text({ manifests: [], layers: [] }), /an index cannot have the field layers/, OCI_INDEX],
    ["{}", /media type/, "nonsense"],
    ["{}", /schema 1 is not supported/, "application/vnd.docker.distribution.manifest.v1+prettyjws"],
  ];
  for (const [body, message, type = OCI_IMAGE] of cases) {
    const answer = await put("x", { bytes: Buffer.from(body) }, type);
    expect([answer.status, answer.code], `${message}: ${answer.text}`).toEqual([400, "MANIFEST_INVALID"]);
    expect(JSON.parse(answer.text).errors[0].message).toMatch(message);
  }
  const unknown = text({ ...fields, layers: [layer, { ...layer, digest: digestOf("not pushed") }] });
  expect(await put("x", { bytes: unknown })).toMatchObject({ status: 404, code: "MANIFEST_BLOB_UNKNOWN" });
  expect(await put(digestOf("other"), { bytes })).toMatchObject({ status: 400, code: "DIGEST_INVALID" });
  for (const reference of ["sha256:1", "md5:d41d8cd98f00b204e9800998ecf8427e"])
    expect(await put(reference, { bytes })).toMatchObject({ status: 400, code: "DIGEST_INVALID" });
  for (const reference of [".dot", "x".repeat(129), "a%20b", "%"])
    expect(await put(reference, { bytes }), reference).toMatchObject({
      status: 400,
      code: "MANIFEST_INVALID",
    });
  const large = { bytes: Buffer.alloc(4 * 1024 * 1024 + 1) };
  for (const isChunked of [false, true]) {
    const headers: Record<string, string> = isChunked ? { "transfer-encoding": "chunked" } : {};
    const answer = await ask("PUT", "/manifests/x", { body: large.bytes, headers });
    expect([answer.status, answer.code]).toEqual([413, "SIZE_INVALID"]);
  }
  expect((await ask("GET", "/tags/list")).text).toBe('{"name":"acme/web","tags":[]}');
  expect((await client.ask("GET", "/v2/_catalog")).text).toContain("millrace projects list");
});

test("3. deletes", async () => {
  const pushed = await image();
  await put("a", pushed);
  await put("b", pushed);
  expect((await ask("DELETE", "/manifests/a")).status).toBe(202);
  expect((await ask("DELETE", `/manifests/${pushed.digest}`)).status).toBe(202);
  for (const gone of ["a", "b", pushed.digest, digestOf("never"), ".", "sha256:1", "x:y", "%", "a/b"])
    for (const method of ["GET", "HEAD", "DELETE"]) {
      const answer = await ask(method, `/manifests/${gone}`);
      expect([answer.status, answer.code], `${method} ${gone}`).toEqual([
        404,
        method === "HEAD" ? "" : "MANIFEST_UNKNOWN",
      ]);
    }
});

test("4. tags", async () => {
  const pushed = await image();
  for (const tag of ["b", "a", "C", "d-1", "e"]) await put(tag, pushed);
  const tagsOf = (text: string) => (JSON.parse(text) as { tags: string[] }).tags;
  const read: string[] = [];
  let next: string | undefined = "/tags/list?n=2";
  for (let pages = 0; next; pages += 1) {
    const answer = await ask("GET", next);
    read.push(...tagsOf(answer.text));
    const link = answer.headers["link"]?.toString();
    next = /^<\/v2\/acme\/web(.*)>; rel="next"$/.exec(link ?? "")?.[1];
    if (link) expect(next).toBeDefined();
    expect(pages).toBeLessThan(3);
  }
  expect(read).toEqual(["C", "a", "b", "d-1", "e"]);
  const empty = await ask("GET", "/tags/list?n=0");
  expect([empty.text, empty.headers["link"]]).toEqual(['{"name":"acme/web","tags":[]}', undefined]);
  expect(tagsOf((await ask("GET", "/tags/list?last=b")).text)).toEqual(["d-1", "e"]);
  expect(tagsOf((await ask("GET", "/tags/list?n=999999")).text)).toEqual(read);
  for (const wrong of ["n=-1", "n=x", "n=", "last=%00", `last=${"x".repeat(200)}`])
    expect((await ask("GET", `/tags/list?${wrong}`)).status, wrong).toBe(400);
});

test("5. referrers", async () => {
  const subject = await image();
  const of = { subject: subject.descriptor };
  const signature = await image({ ...of, artifactType: "a/signature", annotations: { by: "me" } });
  const plain = await image(of);
  const index = asManifest(OCI_INDEX, { manifests: [], ...of });
  // Before its subject is there.
  expect((await put(signature.digest, signature)).headers["oci-subject"]).toBe(subject.digest);
  for (const each of [subject, plain]) await put(each.digest, each);
  await put(index.digest, index, OCI_INDEX);
  const list = async (query = "", digest = subject.digest) => {
    const answer = await ask("GET", `/referrers/${digest}${query}`);
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe(OCI_INDEX);
    const { manifests, ...rest } = JSON.parse(answer.text) as { manifests: { digest: string }[] };
    expect(rest).toEqual({ schemaVersion: 2, mediaType: OCI_INDEX });
    return { manifests, applied: answer.headers["oci-filters-applied"] };
  };
  const described = [
    { ...signature.descriptor, artifactType: "a/signature", annotations: { by: "me" } },
    { ...plain.descriptor, artifactType: OCI_CONFIG },
    index.descriptor,
  ].sort((a, b) => (a.digest < b.digest ? -1 : 1));
  expect(await list()).toEqual({ manifests: described, applied: undefined });
  expect(await list("?artifactType=a/signature")).toMatchObject({
    manifests: [signature.descriptor],
    applied: "artifactType",
  });
  expect(await list("?artifactType=none/such")).toEqual({ manifests: [], applied: "artifactType" });
  expect(await list("", digestOf("no one knows"))).toEqual({ manifests: [], applied: undefined });
  for (const wrong of ["latest", "sha256:1", "sha256%3A"])
    expect(await ask("GET", `/referrers/${wrong}`)).toMatchObject({ status: 400, code: "DIGEST_INVALID" });
  await ask("DELETE", `/manifests/${signature.digest}`);
  expect((await list()).manifests).toHaveLength(2);
});

test("6. pulls", async () => {
  const pushed = await image();
  await put("latest", pushed);
  const { db } = client.test.database;
  const countOf = () =>
    db.selectFrom("registry_manifests").select(["pulls", "pulled_at", "puller"]).executeTakeFirstOrThrow();
  for (let count = 0; count < 3; count += 1) await ask("GET", "/manifests/latest");
  time.now += 1_000;
  await ask("GET", `/manifests/${pushed.digest}`, { token: client.tokens.project });
  await ask("HEAD", "/manifests/latest");
  await ask("GET", "/manifests/none");
  await ask("GET", "/manifests/latest", { headers: { "if-none-match": `"${pushed.digest}"` } });
  await client.test.restart();
  expect(await countOf()).toEqual({ pulls: 4, pulled_at: time.now, puller: "a project token" });
  await ask("GET", "/manifests/latest");
  await put("latest", pushed);
  await client.test.restart();
  expect(await countOf()).toMatchObject({ pulls: 5, puller: "a org token" });
});

test("7. events", async () => {
  const pushed = await image();
  const told = async () => {
    const query = client.test.database.db.selectFrom("events").selectAll().orderBy("id");
    const rows = await query.where("kind", "like", "image.%").execute();
    return rows.map(({ kind, text, actor, project_id }) => [
      kind,
      text,
      actor,
      project_id === client.projects.web,
    ]);
  };
  const event = (kind: string, text: string) => [`image.${kind}`, text, "a org token", true];
  await put("1.4", pushed);
  await put("1.4", pushed);
  await put(pushed.digest, pushed);
  const first = [event("push", "acme/web:1.4 pushed")];
  expect(await told()).toEqual(first);
  time.now += 60_000;
  await put("1.4", pushed);
  await put("1.5", pushed);
  await ask("DELETE", "/manifests/1.5");
  await ask("DELETE", "/manifests/1.5");
  await ask("DELETE", `/manifests/${pushed.digest}`);
  expect(await told()).toEqual([
    ...first,
    ...first,
    event("push", "acme/web:1.5 pushed"),
    event("delete", "acme/web:1.5 deleted"),
    event("delete", `acme/web@${pushed.digest.slice(0, 19)} deleted`),
  ]);
  // A refused push notifies no one.
  expect((await put("1.6", asManifest(OCI_IMAGE, { config: 1 }))).status).toBe(400);
  expect(await told()).toHaveLength(5);
});
