/**
 * Reads a client's folder: gRPC messages of fsutil's `Packet`, cut anywhere.
 *
 *   Packet { type: STAT, stat }     a file of the list, in the order of their numbers from 0
 *   Packet { type: STAT }           the list has ended
 *   Packet { type: DATA, id, data } a part of a file that the builder asked for; without data: its end
 *
 * Data is passed on as it arrives and never held. BuildKit writes fields in the order of their numbers.
 */
import { MAX_STAT_BYTES } from "./limits.ts";
import { Unreadable } from "./unreadable.ts";

export interface PacketReader {
  onStat: (stat: Buffer) => void;
  onListEnd: () => void;
  onData: (id: number, part: Buffer) => void;
  onFileEnd: (id: number) => void;
}

const HEAD_BYTES = 5;
const [STAT_PACKET, DATA_PACKET] = [0, 2];
/** Fields with their wire types: 0 for a number, 2 for bytes. */
const [TYPE, STAT, ID, DATA] = [0x08, 0x12, 0x18, 0x22];
const MAX_VARINT_BYTES = 10;

/** @returns throws Unreadable */
export function createPacketSplitter(reader: PacketReader): (part: Buffer) => void {
  const packets = new Packets(reader);
  return (part) => {
    for (let at = 0; at < part.length;) at += packets.take(part, at);
  };
}

class Packets {
  readonly #reader: PacketReader;
  readonly #numbers = createNumbers();
  /** Bytes left of the message, and of the current field. */
  #messageLeft = 0;
  #fieldLeft = 0;
  /** Tag of the current field; 0: the next byte begins a tag. */
  #tag = 0;
  #type = 0;
  #id = 0;
  #stat: Buffer | null = null;
  #hasData = false;

  constructor(reader: PacketReader) {
    this.#reader = reader;
  }

  /** @returns how many bytes it took */
  take(part: Buffer, at: number): number {
    const byte = part[at] ?? 0;
    if (this.#messageLeft === 0) {
      const length = this.#numbers.length32(byte);
      if (length !== null) this.#begin(length);
      return 1;
    }
    const piece = this.#fieldLeft > 0 ? part.subarray(at, at + this.#fieldLeft) : null;
    const taken = piece?.length ?? 1;
    this.#messageLeft -= taken;
    if (piece) this.#takeBytes(piece);
    else this.#takeByte(byte);
    if (this.#messageLeft === 0) this.#end();
    return taken;
  }

  #begin(length: number): void {
    this.#messageLeft = length;
    this.#type = STAT_PACKET;
    this.#id = 0;
    this.#stat = null;
    this.#hasData = false;
    if (length === 0) this.#end();
  }

  #end(): void {
    if (this.#fieldLeft > 0 || this.#tag !== 0) throw new Unreadable("a packet is cut off");
    if (this.#type === STAT_PACKET) {
      if (this.#stat) this.#reader.onStat(this.#stat);
      else this.#reader.onListEnd();
    } else if (this.#type === DATA_PACKET && !this.#hasData) this.#reader.onFileEnd(this.#id);
  }

  #takeByte(byte: number): void {
    const number = this.#numbers.varint(byte);
    if (number !== null) this.#takeNumber(number);
    else if (this.#messageLeft === 0) throw new Unreadable("a packet is cut off");
  }

  #takeNumber(number: number): void {
    if (this.#tag === 0) {
      this.#tag = number;
      return;
    }
    if (this.#tag === STAT || this.#tag === DATA) this.#beginBytes(number);
    else if (this.#tag === TYPE) this.#type = number;
    else if (this.#tag === ID) this.#id = number;
    else throw new Unreadable(`a packet has the field ${this.#tag >> 3}`);
    if (this.#fieldLeft === 0) this.#tag = 0;
  }

  #beginBytes(length: number): void {
    if (length > this.#messageLeft) throw new Unreadable("a packet is cut off");
    this.#fieldLeft = length;
    if (this.#tag !== STAT) return;
    if (length > MAX_STAT_BYTES) throw new Unreadable("the description of a file is too long");
    this.#stat = Buffer.allocUnsafe(length);
  }

  #takeBytes(piece: Buffer): void {
    if (this.#tag === STAT && this.#stat) piece.copy(this.#stat, this.#stat.length - this.#fieldLeft);
    else if (this.#type === DATA_PACKET) {
      this.#hasData = true;
      this.#reader.onData(this.#id, piece);
    }
    this.#fieldLeft -= piece.length;
    if (this.#fieldLeft === 0) this.#tag = 0;
  }
}

/** Numbers that arrive byte by byte; null until complete. */
function createNumbers() {
  let [value, bytes] = [0, 0];
  const finish = () => {
    const found = value;
    [value, bytes] = [0, 0];
    return found;
  };
  return {
    /** The length in the header of a message. */
    length32(byte: number): number | null {
      if (bytes === 0 && byte !== 0) throw new Unreadable("a message is compressed");
      bytes += 1;
      value = value * 256 + byte;
      return bytes < HEAD_BYTES ? null : finish();
    },
    varint(byte: number): number | null {
      value += (byte & 0x7f) * 2 ** (7 * bytes);
      bytes += 1;
      if (byte < 0x80) return finish();
      if (bytes >= MAX_VARINT_BYTES) throw new Unreadable("a number is too long");
      return null;
    },
  };
}
