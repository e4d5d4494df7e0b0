/** For tests: what Node's own HTTP/2 writes when a builder asks a client, byte for byte and in order. */
import { connect, type OutgoingHttpHeaders, performServerHandshake } from "node:http2";
import { Duplex } from "node:stream";

interface Request {
  headers: OutgoingHttpHeaders;
  /** Written in these parts. */
  answer: readonly Buffer[];
}

export interface Exchange {
  parts: { from: "builder" | "client"; bytes: Buffer }[];
  /** Headers as they were received: names and values in turn, of each request. */
  asked: string[][];
}

export async function openExchange(requests: readonly Request[]): Promise<Exchange> {
  const exchange: Exchange = { parts: [], asked: [] };
  const [builderEnd, clientEnd] = openPipe((from, bytes) => exchange.parts.push({ from, bytes }));
  const client = performServerHandshake(clientEnd);
  client.on("error", () => undefined);
  client.on("stream", (stream, _headers, _flags, rawHeaders) => {
    const request = requests[exchange.asked.length];
    exchange.asked.push(rawHeaders);
    stream.respond({ ":status": 200 });
    for (const part of request?.answer ?? []) stream.write(part);
    stream.end();
  });
  const builder = connect("http://client", { createConnection: () => builderEnd });
  builder.on("error", () => undefined);
  for (const { headers } of requests) {
    const stream = builder.request({ ":method": "POST", ...headers }, { endStream: true });
    stream.resume();
    await new Promise((resolve) => stream.once("close", resolve));
  }
  builder.destroy();
  client.destroy();
  return exchange;
}

/** Two ends; each part is told of when the other end gets it. */
function openPipe(onPart: (from: "builder" | "client", bytes: Buffer) => void): [Duplex, Duplex] {
  const open = (from: "builder" | "client", other: () => Duplex) =>
    new Duplex({
      read() {},
      write(bytes: Buffer, _encoding, done) {
        onPart(from, Buffer.from(bytes));
        other().push(bytes);
        done();
      },
      final(done) {
        other().push(null);
        done();
      },
    });
  const builder: Duplex = open("builder", () => client);
  const client: Duplex = open("client", () => builder);
  return [builder, client];
}
