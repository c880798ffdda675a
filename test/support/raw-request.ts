import { once } from 'node:events';
import { connect } from 'node:net';
import { startNode } from './node-process.ts';

/** Sends a text over a new connection; returns the status of the answer, 0 without an answer. */
export function statusOf(port: number, text: string): Promise<number> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 0)));
  });
}

/** The text that each connection sends: a beginning, and a repeated part. */
export type Flood = {
  readonly connections: number;
  readonly head: string;
  readonly unit: string;
  readonly times: number;
};

/** Runs in its own process, so that its work does not slow the flooded process. */
const FLOODER = `
  const [port, { connections, head, unit, times }] = process.argv.slice(1).map((each) => JSON.parse(each));
  const sent = Buffer.from(head + unit.repeat(times));
  const sockets = Array.from({ length: connections }, () => require('node:net').connect(port, '127.0.0.1'));
  Promise.all(sockets.map((socket) => new Promise((done) => socket.once('connect', done)))).then(() => {
    for (const socket of sockets) socket.on('error', () => {}).on('data', () => socket.destroy()).write(sent);
  });
`;

/** Sends the same text over many connections at once, and waits until each was answered or closed. */
export async function flood(port: number, what: Flood): Promise<void> {
  const lines: string[] = [];
  const args = ['--input-type=commonjs', '-e', FLOODER, String(port), JSON.stringify(what)];
  const [code] = await once(startNode(args, { onLine: (line) => lines.push(line) }), 'exit');
  if (code !== 0) throw new Error(`the flood ended with ${code}: ${lines.join(' ')}`);
}
