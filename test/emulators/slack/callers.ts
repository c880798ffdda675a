import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Which process of the bot is at the other end of a connection. */
export class Callers {
  readonly #running: () => readonly number[];
  readonly #known = new WeakMap<Socket, number>();

  /** `running`: the processes of the bot; none if it runs in this one. */
  constructor(running: () => readonly number[]) {
    this.#running = running;
  }

  /** The id of the process; undefined where the system does not say, or the process is gone. */
  of(socket: Socket | null): number | undefined {
    const pids = this.#running();
    if (pids.length === 0) return process.pid;
    if (socket === null) return undefined;
    const pid = this.#known.get(socket) ?? ownerOf(socket, pids);
    if (pid !== undefined) this.#known.set(socket, pid);
    return pid;
  }
}

/** The process among these that has the other end of a connection on this machine open. */
function ownerOf({ localPort, remotePort }: Socket, pids: readonly number[]): number | undefined {
  try {
    const isOtherEnd = (line: readonly string[]) =>
      portOf(line[1]) === remotePort && portOf(line[2]) === localPort;
    const [, ...lines] = readFileSync('/proc/net/tcp', 'utf8').split('\n');
    const inode = lines.map((line) => line.trim().split(/\s+/)).find(isOtherEnd)?.[9];
    return inode === undefined ? undefined : pids.find((pid) => hasOpen(pid, `socket:[${inode}]`));
  } catch {
    return undefined;
  }
}

/** Of an address such as `0100007F:1F90`. */
function portOf(address = ''): number {
  return Number.parseInt(address.slice(address.indexOf(':') + 1), 16);
}

function hasOpen(pid: number, target: string): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((name) => {
      try {
        return readlinkSync(`${folder}/${name}`) === target;
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
}
