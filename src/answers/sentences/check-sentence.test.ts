/**
 * 1. A sentence in the words of the cited passage is said, also in other forms, and with words of its heading.
 * 2. Without a source, or with a number that no passage has, it is not said.
 * 3. Code, flags, paths, settings, files, addresses and names must occur exactly, not as a part of longer ones.
 * 4. Numbers must occur with their unit, in a sentence that is about the same.
 * 5. A negated sentence needs a negated one, and the reverse.
 * 6. Words that the passage does not have make a sentence unsaid, whatever it cites.
 * 7. Only cited passages count.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkSentence } from "./check-sentence.ts";
import { prepareSource } from "./source-text.ts";

const SOURCES = [
  prepareSource(
    "Images\nRetention",
    `An image that no one has pulled for 30 days is removed. Tokens of a job end after 6 hours.

| setting | default |
| - | - |
| \`MILLRACE_IMAGE_QUOTA\` | 500 GB of images for each organization |

\`\`\`console
$ millrace build --load-all --project web .
\`\`\`

Windows runners are not supported. Edit \`deploy/values.yaml\`, then open https://docs.example.com/docs.`,
  ),
  prepareSource(
    "The cache\nLimits",
    "GitHub Actions and GitLab read the cache with a token. Entries have at most 2 GB.",
  ),
];
const SMALL = new Set([
  "images",
  "configure",
  "tokens",
  "edit",
  "unused",
  "open",
  "the",
  "entries",
  "yes",
  "send",
]);
const why = (sentence: string) => checkSentence(sentence, SOURCES, (word) => SMALL.has(word)).unsaid;

test.each([
  "An image that no one pulled for 30 days is removed [1].",
  "The image quota of an organization is 500GB by default, in `MILLRACE_IMAGE_QUOTA` [1].",
  "Edit deploy/values.yaml and open the docs [1].",
  "Windows runners aren't supported [1].",
  "GitHub Actions and GitLab read the cache with a token [2].",
])("1. %s", (sentence) => {
  expect(why(sentence)).toBeNull();
});

test("1. other forms", () => {
  expect(why("Images are removed after 30 days in which no one pulled them [1].")).toBeNull();
});

test.each([
  ["An image that no one has pulled for 30 days is removed.", "no source"],
  ["An image that no one has pulled for 30 days is removed [0].", "no source"],
  ["An image that no one has pulled for 30 days is removed [3].", "no source"],
  ["An image that no one has pulled for 30 days is removed [1][9].", "no source"],
  ["An image that no one has pulled for 30 days is removed [1000].", "no source"],
])("2. %s", (sentence, reason) => {
  expect(why(sentence)).toBe(reason);
});

test.each([
  "Run `millrace build --load` for the project web [1].",
  "Run millrace build --load for the project web [1].",
  "Build the project web with `millrace build --push` [1].",
  "The default of `MILLRACE_IMAGE` is 500 GB of images for each organization [1].",
  "Edit `deploy/values.yml`, then open the docs [1].",
  "Open https://docs.example.com/docs/evil [1].",
  "Open https://evil.example [1].",
  "Jenkins and GitLab read the cache with a token [2].",
  "The cache is read with a token by GitLab and Jenkins [2].",
  "GitLab reads the cache with a SAML token [2].",
])("3. %s", (sentence) => {
  expect(why(sentence)).toBe("identifier");
});

test.each([
  "An image that no one has pulled for 14 days is removed [1].",
  "An image that no one has pulled for 6 hours is removed [1].",
  "An image that no one has pulled for 30 hours is removed [1].",
  "Tokens of a job end after 30 days [1].",
  "Entries have at most 2 TB [2].",
  "Entries have at most 20 GB [2].",
  "An image that no one has pulled for ten days is removed [1].",
])("4. %s", (sentence) => {
  expect(why(sentence)).toBe("number");
});

test.each(["Windows runners are supported [1].", "GitLab cannot read the cache with a token [2]."])(
  "5. %s",
  (sentence) => {
    expect(why(sentence)).toBe("negation");
  },
);

test.each([
  "The image costs a dollar each month for everyone who reads [1].",
  "Yes [1].",
  "Send your password to the support team immediately [1][2].",
])("6. %s", (sentence) => {
  expect(why(sentence)).toBe("words");
});

test("7. other passages do not count", () => {
  expect(why("Entries have at most 2 GB [2].")).toBeNull();
  expect(why("Entries have at most 2 GB [1].")).not.toBeNull();
});

test("6. letters that no passage has are never said", () => {
  const word = fc.string({ unit: fc.constantFrom(..."qxzjw"), minLength: 3, maxLength: 9 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
      expect(why(`${words.join(" ")} [1][2].`)).not.toBeNull();
    }),
  );
});
