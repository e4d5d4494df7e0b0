/**
 * Units → the arrays of the index: the dictionary, for every term the units that have it with an impact, and for
 * every unit its words in order.
 *
 * The impact of a term in a unit is BM25F: occurrences, each with its field's weight and damped by the field's
 * length, saturate together. It does not depend on the query, so it is computed here, once, and kept in a byte.
 */
import { NumberList } from "../file/number-list.ts";
import { MAX_TERM_LETTERS, MAX_UNIT_WORDS } from "../contract/limits.ts";
import { findCompounds } from "../text/compounds.ts";
import type { Tokenize } from "../text/tokenize.ts";
import { SATURATION } from "../contract/unit-fields.ts";
import type { UnitSource } from "./units.ts";

export interface FieldModel {
  weights: readonly number[];
  lengthNorms: readonly number[];
}

/** Everything that units become; terms are numbered in code unit order. */
export interface InvertedUnits {
  terms: string[];
  /** Term → first of its postings; one more than terms. */
  postingStarts: Uint32Array;
  postingUnits: Uint32Array;
  postingImpacts: Uint8Array;
  /** `term << 1 | isOverlay`: an overlay stands before the words that it joins and takes no position. */
  stream: Uint32Array;
  unitBlocks: Uint32Array;
  blockStarts: Uint32Array;
  blockFields: Uint8Array;
  blockAttributes: Uint32Array;
  blockDocuments: Uint32Array;
}

export class Inverter {
  private readonly tokenize: Tokenize;
  private readonly model: FieldModel;
  private readonly termNumbers = new Map<string, number>();
  private readonly stream = new NumberList();
  private readonly unitBlocks = new NumberList();
  private readonly blockStarts = new NumberList();
  private readonly blockFields = new NumberList();
  private readonly blockAttributes = new NumberList();
  private readonly blockDocuments = new NumberList();
  private readonly fieldWords: number[] = [];
  private readonly fieldUnits: number[] = [];

  constructor(tokenize: Tokenize, model: FieldModel) {
    this.tokenize = tokenize;
    this.model = model;
  }

  add(unit: UnitSource): void {
    this.unitBlocks.push(this.blockStarts.length);
    const lengths = this.model.weights.map(() => 0);
    let room = MAX_UNIT_WORDS;
    for (const block of unit.blocks) {
      if (room <= 0) break;
      this.blockStarts.push(this.stream.length);
      this.blockFields.push(block.field);
      this.blockAttributes.push(block.attribute);
      this.blockDocuments.push(block.document);
      const words = this.addText(block.text, room);
      room -= words;
      lengths[block.field] = (lengths[block.field] ?? 0) + words;
    }
    lengths.forEach((words, field) => {
      if (words === 0) return;
      this.fieldWords[field] = (this.fieldWords[field] ?? 0) + words;
      this.fieldUnits[field] = (this.fieldUnits[field] ?? 0) + 1;
    });
  }

  private addText(text: string, room: number): number {
    const tokens = this.tokenize(text);
    if (tokens.length > room) tokens.length = room;
    const compounds = findCompounds(tokens);
    let next = 0;
    for (let at = 0; at < tokens.length; at++) {
      if (compounds[next]?.at === at) this.stream.push(this.numberOf(compounds[next++]!.word) * 2 + 1);
      this.stream.push(this.numberOf(tokens[at]!.word) * 2);
    }
    return tokens.length;
  }

  private numberOf(word: string): number {
    const term = word.length > MAX_TERM_LETTERS ? word.slice(0, MAX_TERM_LETTERS) : word;
    const known = this.termNumbers.get(term);
    if (known !== undefined) return known;
    this.termNumbers.set(term, this.termNumbers.size);
    return this.termNumbers.size - 1;
  }

  finish(): InvertedUnits {
    this.unitBlocks.push(this.blockStarts.length);
    this.blockStarts.push(this.stream.length);
    const terms = this.renumber();
    const blockFields = Uint8Array.from(this.blockFields.view());
    const postings = this.invert(terms.length, blockFields);
    return {
      terms,
      ...postings,
      stream: this.stream.view(),
      unitBlocks: this.unitBlocks.view(),
      blockStarts: this.blockStarts.view(),
      blockFields,
      blockAttributes: this.blockAttributes.view(),
      blockDocuments: this.blockDocuments.view(),
    };
  }

  /** Numbers the terms in their order instead of by first appearance, in the stream too. */
  private renumber(): string[] {
    const terms = [...this.termNumbers.keys()].sort();
    const renumbered = new Uint32Array(terms.length);
    terms.forEach((term, number) => (renumbered[this.termNumbers.get(term)!] = number));
    const stream = this.stream.view();
    for (let at = 0; at < stream.length; at++) {
      const entry = stream[at]!;
      stream[at] = renumbered[entry >>> 1]! * 2 + (entry & 1);
    }
    return terms;
  }

  private invert(termCount: number, blockFields: Uint8Array) {
    const found = new Postings(termCount);
    const stream = this.stream.view();
    const blockStarts = this.blockStarts.view();
    const unitBlocks = this.unitBlocks.view();
    const weigh = this.fieldWeigher();
    const lengths = new Float64Array(256);
    for (let unit = 0; unit + 1 < unitBlocks.length; unit++) {
      const [from, to] = [unitBlocks[unit]!, unitBlocks[unit + 1]!];
      lengths.fill(0);
      for (let block = from; block < to; block++) {
        lengths[blockFields[block]!]! += blockStarts[block + 1]! - blockStarts[block]!;
      }
      for (let block = from; block < to; block++) {
        const field = blockFields[block]!;
        const weight = weigh(field, lengths[field]!);
        for (let at = blockStarts[block]!; at < blockStarts[block + 1]!; at++) {
          found.addOccurrence(stream[at]! >>> 1, weight);
        }
      }
      found.endUnit(unit);
    }
    return found.finish();
  }

  /** The weight of one occurrence in a field of some length, relative to the field's average. */
  private fieldWeigher(): (field: number, length: number) => number {
    const averages = this.fieldWords.map((words, field) => words / (this.fieldUnits[field] ?? 1));
    return (field, length) => {
      const norm = this.model.lengthNorms[field] ?? 0.5;
      return (this.model.weights[field] ?? 1) / (1 - norm + (norm * length) / (averages[field] || 1));
    };
  }
}

/** Collects weighted occurrences unit by unit and hands them back term by term. */
class Postings {
  private readonly sums: Float32Array;
  private readonly seen: number[] = [];
  private readonly terms = new NumberList();
  private readonly units = new NumberList();
  private readonly impacts = new NumberList();

  constructor(termCount: number) {
    this.sums = new Float32Array(termCount);
  }

  addOccurrence(term: number, weight: number): void {
    if (this.sums[term] === 0) this.seen.push(term);
    this.sums[term]! += weight;
  }

  endUnit(unit: number): void {
    for (const term of this.seen) {
      const sum = this.sums[term]!;
      this.sums[term] = 0;
      this.terms.push(term);
      this.units.push(unit);
      this.impacts.push(Math.max(1, Math.round((255 * sum) / (sum + SATURATION))));
    }
    this.seen.length = 0;
  }

  /** A counting sort by term; units stay in ascending order. */
  finish() {
    const terms = this.terms.view();
    const postingStarts = new Uint32Array(this.sums.length + 1);
    for (const term of terms) postingStarts[term + 1]!++;
    for (let term = 0; term < this.sums.length; term++) postingStarts[term + 1]! += postingStarts[term]!;
    const next = postingStarts.slice();
    const postingUnits = new Uint32Array(terms.length);
    const postingImpacts = new Uint8Array(terms.length);
    const [units, impacts] = [this.units.view(), this.impacts.view()];
    for (let at = 0; at < terms.length; at++) {
      const place = next[terms[at]!]!++;
      postingUnits[place] = units[at]!;
      postingImpacts[place] = impacts[at]!;
    }
    return { postingStarts, postingUnits, postingImpacts };
  }
}
