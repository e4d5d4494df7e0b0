/** An SMTP server on a port of this machine, for tests: RFC 5321, as much as a client needs. */
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body, as sent. */
  text: string;
}

export interface TestSmtp {
  /** `smtp://127.0.0.1:41233` */
  url: string;
  mails: ReceivedMail[];
  /** Resolves with the mail at this index, now or when it arrives. */
  take: (index: number) => Promise<ReceivedMail>;
  /** The answer for a recipient; `250` accepts. */
  verdict: { recipient: string; hangs: boolean };
  close: () => Promise<void>;
}

/** @public for tests/attack */
export async function startTestSmtp(): Promise<TestSmtp> {
  const mails: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  const sockets = new Set<Socket>();
  const verdict = { recipient: "250 ok", hangs: false };
  const receive = (mail: ReceivedMail) => {
    mails.push(mail);
    for (const wake of waiting) wake();
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    if (!verdict.hangs) serve(socket, verdict, receive);
  });

  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  // A server on TCP has an address and a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    verdict,
    take: (index) =>
      new Promise((found) => {
        const look = () => {
          const mail = mails[index];
          if (!mail) return;
          waiting.delete(look);
          found(mail);
        };
        waiting.add(look);
        look();
      }),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** One connection. */
function serve(socket: Socket, verdict: { recipient: string }, receive: (mail: ReceivedMail) => void): void {
  let mail: ReceivedMail = { from: "", to: [], text: "" };
  let isData = false;
  let rest = "";
  const say = (line: string) => socket.write(`${line}\r\n`);
  say("220 test");
  socket.on("data", (chunk) => {
    rest += chunk.toString();
    for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 2);
      if (isData && line === ".") {
        isData = false;
        receive(mail);
        mail = { from: "", to: [], text: "" };
        say("250 taken");
      } else if (isData) mail.text += `${line.replace(/^\.\./, ".")}\n`;
      else if (/^(?:EHLO|HELO)/i.test(line)) say("250 test");
      else if (/^MAIL FROM:/i.test(line)) {
        mail.from = line.slice(10);
        say("250 ok");
      } else if (/^RCPT TO:/i.test(line)) {
        mail.to.push(/<([^<>]{0,300})>/.exec(line)?.[1] ?? "");
        say(verdict.recipient);
      } else if (/^DATA/i.test(line)) {
        isData = true;
        say("354 send the message");
      } else if (/^QUIT/i.test(line)) {
        say("221 bye");
        socket.end();
      } else say("250 ok");
    }
  });
}
