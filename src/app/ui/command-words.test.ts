/**
 * 1. Programs, options and quoted texts of a command line are distinguished; a program is at the start and after an operator.
 * 2. For any text, the joined parts are the command: nothing is lost, nothing is added.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { splitCommand } from "./command-words.ts";

const marked = (command: string) =>
  splitCommand(command)
    .map(({ text, kind }) => (kind ? `<${kind} ${text}>` : text))
    .join("");

test("1. kinds of words", () => {
  expect(marked("millrace build --platform linux/amd64 .")).toBe(
    "<program millrace> build <option --platform> linux/amd64 .",
  );
  expect(marked("./gradlew build --build-cache && ./gradlew clean")).toBe(
    "<program ./gradlew> build <option --build-cache> && <program ./gradlew> clean",
  );
  expect(marked("TOKEN=x curl -H 'A: b' https://a.example")).toBe(
    "TOKEN=x <program curl> <option -H> <text 'A: b'> https://a.example",
  );
});

test("2. nothing is lost", () => {
  const words = fc.constantFrom("a", "-b", '"', "'", "&", "&&", "|", ";", " ", "\n", "=", "é", "👩‍💻");
  fc.assert(
    fc.property(
      fc.array(words).map((each) => each.join("")),
      (command) => {
        expect(
          splitCommand(command)
            .map(({ text }) => text)
            .join(""),
        ).toBe(command);
      },
    ),
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (command) => {
      expect(
        splitCommand(command)
          .map(({ text }) => text)
          .join(""),
      ).toBe(command);
    }),
  );
});
