/*
 * 1. Stems are those of Snowball's published sample, folded.
 * 2. A word finds its other forms in the index, spelled with umlauts or without a key for them.
 * 3. A part finds its compounds; an English word its inflections.
 */
import { expect, test } from "vitest";
import { fold } from "./fold.ts";
import { germanForms } from "./german-forms.ts";
import { stemGerman } from "./german-stem.ts";

const SAMPLE = `aufeinander aufeinand, aufeinanderbiss aufeinanderbiss, aufeinanderfolge aufeinanderfolg,
  aufeinanderfolgend aufeinanderfolg, aufeinanderfolgende aufeinanderfolg, aufeinanderfolgenden aufeinanderfolg,
  aufeinanderfolgt aufeinanderfolgt, aufeinanderschlügen aufeinanderschlug, aufenthalt aufenthalt, aufenthaltes aufenthalt,
  auferlegen auferleg, auferlegt auferlegt, auferstanden auferstand, auferstehen aufersteh, auferstehung aufersteh,
  auferstünde auferstund, auferwecken auferweck, auffa auffa, auffallend auffall, auffällig auffall, auffälligen auffall,
  auffasst auffasst, auffaßt auffasst, auffassung auffass, auffassungsvermögen auffassungsvermog, kategorie kategori,
  kategorisch kategor, kategorischen kategor, kater kat, katerliede katerlied, katern kat, katers kat, käthchen kathch,
  kathedrale kathedral, kathinka kathinka, katholik kathol, katholischer kathol, kattun kattun,
  kattunhalstücher kattunhalstuch, katze katz, kätzchens katzch, katzenschmer katzenschm, katzensprung katzenspr,
  katzenwürde katzenwurd, kätzin katzin, kätzlein katzlein, kauen kau, kauerte kauert, käufer kauf, kauffahrer kauffahr,
  kaufleute kaufleut, käuflich kauflich, dunkelheit dunkel, bosheit bosheit, artigkeit artig, aufrichtigkeit aufricht,
  befriedigung befried, fadenscheinigen fadenschein, ideen ide, abfällige abfall, abenlich aben, bäuerin bauerin`;

test.each(SAMPLE.split(",").map((pair) => pair.trim().split(" ") as [string, string]))(
  "1. %s → %s",
  (word, stem) => {
    expect(stemGerman(fold(word))).toBe(stem);
  },
);

const WORDS =
  "haus hauser loschen geloscht zwischenspeicher speichern schlussel schlusseln build builds bauen registry";
const forms = germanForms(WORDS.split(" "));

test.each([
  ["Haus", "hauser"],
  ["Häuser", "haus"],
  ["haeuser", "hauser"],
  ["loeschen", "loschen"],
  ["Schlüssel", "schlusseln"],
  ["schluessel", "schlussel"],
])("2. %s finds %s", (word, form) => expect(forms(fold(word))).toContain(form));

test("3. compounds and English", () => {
  expect(forms("speicher")).toContain("zwischenspeicher");
  expect(forms("build")).toContain("builds");
  expect(forms("xyz")).not.toContain("build");
});
