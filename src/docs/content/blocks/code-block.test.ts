/**
 * Properties of code blocks:
 * 1. The text of the block is the code, whatever the language; tokens have only the six classes.
 * 2. Marked lines, added and deleted lines have their classes; the signs of a diff are not in the text.
 * 3. `data-copy` exists exactly if the copied text differs from the shown text: commands without prompts, a diff without
 *    its deleted lines.
 * 4. Neighbours of the same class are one span.
 */
import * as fc from "fast-check";
import type { Element } from "hast";
import { toString } from "hast-util-to-string";
import type { Code } from "mdast";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { expect, test } from "vitest";
import { codeBlock, consoleCommands } from "./code-block.ts";
import { parseFenceMeta } from "./fence-meta.ts";
import { mergeTokens, type TokenClass } from "./highlight.ts";

const writer = unified().use(rehypeStringify).freeze();

async function draw(
  lang: string,
  value: string,
  meta = "",
): Promise<{ html: string; text: string; copy: unknown }> {
  const code: Code = { type: "code", lang, value, meta };
  const figure = await codeBlock(code, parseFenceMeta(code).meta);
  const find = (name: string, from: Element): Element | undefined =>
    from.children
      .filter((child) => child.type === "element")
      .map((child) => (child.tagName === name ? child : find(name, child)))
      .find((child) => child !== undefined);
  const pre = find("pre", figure);
  const copy = find("button", figure)?.properties.dataCopy;
  return {
    html: pre ? writer.stringify({ type: "root", children: [pre] }) : "",
    text: pre ? toString(pre) : "",
    copy,
  };
}

test.each(["yaml", "bash", "dockerfile", "json", "text", "go"])(
  "the text of %s is the code",
  async (language) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ maxLength: 20 }), { maxLength: 5 }), async (lines) => {
        const code = lines.join("\n").replaceAll("\r", "");
        const { html, text } = await draw(language, code);
        expect(text).toBe(code);
        expect(html.replace(/ class="(line|t-[ksncpf])"/g, "")).not.toContain("class=");
      }),
      { numRuns: 15 },
    );
  },
);

test("tokens of YAML", async () => {
  const { html } = await draw("yaml", "image: 3 # now");
  expect(html).toBe(
    '<pre tabindex="0"><code><span class="line"><span class="t-k">image</span><span class="t-p">:</span> <span class="t-n">3</span> <span class="t-c"># now</span></span></code></pre>',
  );
});

test("marked lines", async () => {
  const { html, copy } = await draw("text", "a\nb\nc", "{1,3}");
  expect(html.match(/line( is-hl)?"/g)).toEqual(['line is-hl"', 'line"', 'line is-hl"']);
  expect(copy).toBeUndefined();
});

test("a diff loses its signs and its deleted lines when copied", async () => {
  const { html, text, copy } = await draw("text", " a\n-b\n+c", "diff");
  expect(text).toBe("a\nb\nc");
  expect(html).toContain('<span class="line is-del">b</span>\n<span class="line is-add">c</span>');
  expect(copy).toBe("a\nc");
});

test("lines of a diff without the column of signs keep their start", async () => {
  expect((await draw("text", "a:\n-  b\n+  c", "diff")).text).toBe("a:\n  b\n  c");
});

test("a terminal copies its commands", async () => {
  const { html, copy } = await draw(
    "console",
    "$ millrace build \\\n    --save .\ndone <1s\n$ cat <<EOF\nx\nEOF\nx",
  );
  expect(copy).toBe("millrace build \\\n    --save .\ncat <<EOF\nx\nEOF");
  expect(html).toContain(
    '<span class="line"><span class="t-p prompt">$ </span><span class="t-f">millrace</span>',
  );
  expect(html).toContain('<span class="line is-out">done &#x3C;1s</span>');
});

test("a terminal without commands copies what it shows", async () => {
  expect((await draw("console", "only output")).copy).toBeUndefined();
});

test("commands know their lines", () => {
  expect(consoleCommands("$ a\nout\n$ b \\\n c")).toEqual([
    { text: "a", from: 0, to: 1 },
    { text: "b \\\n c", from: 2, to: 4 },
  ]);
});

test("an open quote continues a command; one that nothing closes does not", () => {
  expect(consoleCommands(`$ curl -d '{\n  "a": 1}' \\\n  url # it's\n{}`)).toEqual([
    { text: `curl -d '{\n  "a": 1}' \\\n  url # it's`, from: 0, to: 3 },
  ]);
  expect(consoleCommands("$ echo it's\nits\n$ b").map(({ text }) => text)).toEqual(["echo it's", "b"]);
});

test("neighbours are merged, also across white space, and nothing is lost", () => {
  const token = fc.record({
    text: fc.constantFrom("a", " ", "b ", "  "),
    class: fc.constantFrom<TokenClass>("t-k", "t-s", null),
  });
  fc.assert(
    fc.property(fc.array(token), (tokens) => {
      const text = tokens.map((each) => each.text).join("");
      const merged = mergeTokens(tokens.map((each) => ({ ...each })));
      expect(merged.map((each) => each.text).join("")).toBe(text);
      merged.forEach((each, index) => expect(each.class).not.toBe(merged[index + 1]?.class ?? "end"));
    }),
  );
});
