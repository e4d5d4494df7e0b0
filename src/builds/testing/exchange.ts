/** For tests: the bytes of Node's own HTTP/2 when a builder calls a client, exact and in order. */
import { connect, type OutgoingHttpHeaders, performServerHandshake } from "node:http2";
import { Duplex } from "node:stream";

interface Request {
  headers: OutgoingHttpHeaders;
  /** The body, written in these parts. */
  answer: readonly Buffer[];
}

export interface Exchange {
  parts: { from: "builder" | "client"; bytes: Buffer }[];
  /** Received headers of each request: names and values in turn. */
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

/** Two ends; each part is reported when the other end gets it. */
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
