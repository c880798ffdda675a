import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** What a scripted Redis answers: a text, a number, nothing, a list of these, or a refusal. */
export type RedisAnswer = string | number | null | Error | readonly RedisAnswer[];

type ScriptedRedis = {
  readonly port: number;
  /** The commands that it was sent, without those by which clients introduce themselves. */
  readonly asked: string[];
  close(): Promise<void>;
};

/** A server on this machine that speaks the protocol of Redis, and answers what a test gives. */
export async function startScriptedRedis(answer: (command: string) => RedisAnswer): Promise<ScriptedRedis> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let rest = '';
    socket.on('data', (data) => {
      const { commands, left } = commandsIn(rest + data.toString());
      rest = left;
      for (const command of commands) {
        const isIntroduction = command.startsWith('CLIENT ');
        if (!isIntroduction) asked.push(command);
        socket.write(encoded(isIntroduction ? 'OK' : answer(command)));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    asked,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The whole commands at the beginning of a text, each as its words with spaces between them, and what follows. */
function commandsIn(text: string): { readonly commands: readonly string[]; readonly left: string } {
  const lines = text.split('\r\n');
  const commands: string[] = [];
  let at = 0;
  for (;;) {
    const count = Number(lines[at]?.slice(1) || Number.NaN);
    const end = at + 1 + 2 * count;
    if (!(end < lines.length)) return { commands, left: lines.slice(at).join('\r\n') };
    commands.push(
      lines
        .slice(at + 1, end)
        .filter((_, index) => index % 2 === 1)
        .join(' '),
    );
    at = end;
  }
}

/** https://redis.io/docs/latest/develop/reference/protocol-spec/ */
function encoded(answer: RedisAnswer): string {
  if (answer === null) return '*-1\r\n';
  if (answer instanceof Error) return `-${answer.message}\r\n`;
  if (typeof answer === 'number') return `:${answer}\r\n`;
  if (typeof answer === 'string') return `$${Buffer.byteLength(answer)}\r\n${answer}\r\n`;
  return `*${answer.length}\r\n${answer.map(encoded).join('')}`;
}
