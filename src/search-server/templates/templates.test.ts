/**
 * `/render-template`:
 * 1. It answers the template and what it makes of a document, both sent or both of an index, once the feature is on.
 * 2. A key needs the rights for the index that is named; hidden vectors are not shown to a template.
 * 3. What this server does not have is refused by name; wrong bodies and unknown documents have their codes.
 * 4. A hostile template reads no file, no inherited property and no module, and ends within its limits: the thread that
 *    one broke is replaced for the next.
 * 5. Any template and any document end with text or with an error of the client's, and an answer is bounded.
 */
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { longer } from "#platform/testing/longer.ts";
import { ApiError } from "../protocol/errors.ts";
import { MAX_RENDERED_LENGTH, MAX_TEMPLATE_LENGTH } from "../protocol/limits.ts";
import { startAdmin } from "../testing/admin.ts";
import { createRenderer } from "./renderer.ts";

let admin: Awaited<ReturnType<typeof startAdmin>>;
const renderer = createRenderer();

beforeAll(async () => {
  admin = await startAdmin();
  const off = await render({ template: inline("a"), input: null });
  expect(off).toMatchObject({ status: 400, json: { code: "feature_not_enabled" } });
  await admin.ask("PATCH", "/experimental-features", { renderRoute: true });
});
afterAll(() => Promise.all([admin.close(), renderer.close()]));

const inline = (text: string) => ({ kind: "inlineDocumentTemplate", inline: text });
const document = (fields: object) => ({ kind: "inlineDocument", inline: fields });
const render = (body: unknown, key?: string | null) => admin.ask("POST", "/render-template", body, key);

test("1. a template and a document", async () => {
  const text = "{{ doc.name | upcase }}:{% for field in fields %} {{ field.name }}{% endfor %}";
  const { json } = await render({
    template: inline(text),
    input: document({ name: "Iko", breed: "terrier" }),
  });
  expect(json).toEqual({ template: text, rendered: "IKO: name breed" });
  expect((await render({ template: inline(text), input: null })).json).toEqual({
    template: text,
    rendered: null,
  });
});

test("1. of an index", async () => {
  await admin.done(admin.ask("POST", "/indexes", { uid: "dogs", primaryKey: "id" }));
  const own =
    "{{ doc.name }}{{ doc._vectors }}{% for f in fields %}{% if f.is_searchable %} {{ f.name }}{% endif %}{% endfor %}";
  const embedders = {
    own: { source: "rest", documentTemplate: own },
    sent: { source: "userProvided", dimensions: 2 },
  };
  await admin.done(
    admin.ask("PATCH", "/indexes/dogs/settings", { embedders, searchableAttributes: ["name"] }),
  );
  const vectors = { own: [0, 1], sent: [1, 0] };
  await admin.done(
    admin.ask("POST", "/indexes/dogs/documents", [
      { id: 7, name: "Iko", breed: "terrier", _vectors: vectors },
    ]),
  );
  const template = { kind: "documentTemplate", indexUid: "dogs", embedder: "own" };
  const input = { kind: "indexDocument", indexUid: "dogs", id: "7" };
  expect((await render({ template, input })).json).toEqual({ template: own, rendered: "Iko name" });

  const made = async (actions: string[], indexes: string[]) =>
    String((await admin.ask("POST", "/keys", { actions, indexes, expiresAt: null })).json["key"]);
  const whole = await made(["documents.get", "settings.get"], ["dogs"]);
  const elsewhere = await made(["documents.get", "settings.get"], ["cats"]);
  const documentsOnly = await made(["documents.get"], ["dogs"]);
  const statuses = await Promise.all(
    [whole, elsewhere, documentsOnly, await made(["search"], ["*"]), null].map(
      async (key) => (await render({ template, input }, key)).status,
    ),
  );
  expect(statuses).toEqual([200, 403, 403, 403, 401]);
  expect((await render({ template: inline("x"), input }, elsewhere)).status).toBe(403);
});

test.each([
  [{}, "missing_render_template"],
  [{ template: { kind: "wrong" } }, "invalid_render_template"],
  [{ template: inline("x".repeat(MAX_TEMPLATE_LENGTH + 1)) }, "invalid_render_template"],
  [{ template: { kind: "searchFragment", indexUid: "dogs" } }, "feature_not_enabled"],
  [{ template: { kind: "chatDocumentTemplate", indexUid: "dogs" } }, "feature_not_enabled"],
  [{ template: inline("x"), input: { kind: "inlineSearch", inline: { q: "a" } } }, "invalid_render_input"],
  [{ template: inline("x"), input: { kind: "inlineDocument" } }, "invalid_render_input"],
  [
    { template: inline("x"), input: { kind: "indexDocument", indexUid: "blog", id: "none" } },
    "render_document_not_found",
  ],
  [{ template: inline("x"), input: { kind: "indexDocument", indexUid: "none", id: "1" } }, "index_not_found"],
  [{ template: { kind: "documentTemplate", indexUid: "dogs", embedder: "none" } }, "invalid_render_template"],
  [{ template: { kind: "documentTemplate", indexUid: "dogs", embedder: "sent" } }, "invalid_render_template"],
  [{ template: inline("{% for %}"), input: document({}) }, "invalid_render_template"],
  [{ template: inline("{{ doc.a | nothing }}"), input: document({}) }, "invalid_render_template"],
  [[], "bad_request"],
])("3. wrong body %$ is refused", async (body, code) => {
  expect((await render(body)).json).toMatchObject({ code });
});

/** Templates that leave nothing behind: they see no file, no prototype, no process. */
const NOTHING = [
  "{{ doc.constructor }}{{ doc.__proto__ }}{{ doc.toString }}{{ fields.constructor.name }}",
  "{{ process.env }}{{ global }}{{ globalThis }}{{ require }}",
  "{{ doc.constructor.constructor }}{{ 'a'.constructor }}",
];
const REFUSED = [
  "{% include '/etc/passwd' %}",
  "{% render '../../../../etc/passwd' %}",
  "{% layout 'package.json' %}",
  "{% include doc.name %}",
  "{% for i in (1..100000000) %}{{ i }}{% endfor %}",
  "{% for i in (1..9999) %}{% for j in (1..9999) %}x{% endfor %}{% endfor %}",
  "{% assign a = 'x' %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}",
  `{% for i in (1..9000) %}${"x".repeat(900)}{% endfor %}`,
];

test.each(NOTHING)("4. %s renders nothing", async (template) => {
  expect(await renderer.render(template, { doc: { name: "a" }, fields: [] })).toBe("");
});

test.each(REFUSED)("4. hostile template %$ is refused", async (template) => {
  const rendering = renderer.render(template, { doc: { name: "package.json" }, fields: [] });
  await expect(rendering).rejects.toMatchObject({ code: "invalid_render_template" });
  await expect(rendering).rejects.not.toThrow(/root:|"private"/);
});

test("4. a thread that does not answer is replaced", async () => {
  const impatient = createRenderer(0);
  const slow = "{% for i in (1..90000) %}{{ 'a b c' | split: ' ' | join: '-' }}{% endfor %}";
  const scope = { doc: {}, fields: [] };
  await expect(impatient.render(slow, scope)).rejects.toThrow(/took more than 0 ms/);
  await impatient.close();
  expect(await renderer.render("{{ 1 | plus: 1 }}", scope)).toBe("2");
});

test("4. only so many wait", async () => {
  const all = await Promise.allSettled(
    Array.from({ length: 40 }, () => renderer.render("a", { doc: {}, fields: [] })),
  );
  const refused = all.flatMap((one) => (one.status === "rejected" ? [(one.reason as ApiError).code] : []));
  expect(new Set(refused)).toEqual(new Set(["too_many_search_requests"]));
  expect(refused).toHaveLength(20);
});

const pieces = fc.constantFrom(
  ..."{% {%- %} -%} {{ }} for if unless case when in assign capture include render layout block raw liquid tablerow cycle".split(
    " ",
  ),
  ..."doc doc.a fields field.name (1..9) (1..999999) | append: split: join: map: where: sort replace: date: 'a' \"b\" 1 -1 nil".split(
    " ",
  ),
  ..."endfor endif endcase endcapture __proto__ constructor [0] ['a'] == contains and or # \n".split(" "),
);
const template = fc.oneof(
  fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(" ")),
  fc.string({ maxLength: 200 }),
);

test("5. any template", async () => {
  await fc.assert(
    fc.asyncProperty(
      template,
      fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }),
      async (text, doc) => {
        const fields = Object.entries(doc).map(([name, value]) => ({ name, value, is_searchable: true }));
        const outcome = await renderer.render(text, { doc, fields }).catch((error: unknown) => error);
        if (typeof outcome === "string") return outcome.length <= MAX_RENDERED_LENGTH;
        return outcome instanceof ApiError && outcome.code === "invalid_render_template";
      },
    ),
    { numRuns: longer(300) },
  );
}, 120_000);
