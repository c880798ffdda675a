import type { Certificates } from '../certificates.ts';
import type { SnapshotDocument } from './document.ts';

/** Which diagnostics a request asked for; `all` when `set` was absent (specification 4.2). */
export type DiagnosticSet = 'all' | 'hit' | 'miss';

/** A whole answer; `content-length` is added. */
export interface Reply {
  status: number;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/**
 * What a broken service does instead of an answer: `reset` the connection, `hang` without a word, `hang-in-body` after
 * the headers, `truncate` a body that was declared longer, `trickle` a body without end slowly, or send a `huge` one fast.
 */
export type Misbehaviour = 'reset' | 'hang' | 'hang-in-body' | 'truncate' | 'trickle' | 'huge';

/** One answer of a script; `ordinary` lets one request through, `sign-in-page` is a 200 with HTML. */
export type ScriptedAnswer = Reply | Misbehaviour | 'ordinary' | 'sign-in-page';

/** A wait before the analysis is there, counted from the first request for the snapshot that had a session. */
export interface Processing {
  forMs: number | 'forever';
  /** Shown one after the other, evenly over `forMs`, or for 20 s each when that is `forever`. None: an empty body. */
  reasons?: string[];
}

/** A snapshot that the service knows. */
export interface ShelfEntry {
  title: string;
  /** One sentence for a person who wonders which snapshot to try. */
  purpose: string;
  document?: SnapshotDocument | ((now: number) => SnapshotDocument);
  /** What to type to see it, where that is not its id alone. */
  command?: string;
  /** Served as it stands in place of a document, unfiltered. */
  raw?: { body: string | Buffer; contentType?: string };
  processing?: Processing;
  /** Answered always, in place of a document. */
  status?: number;
  /** Every request is redirected there. */
  movedTo?: string;
  /** After the processing, every request is answered with a 500. */
  failsMidway?: boolean;
  /** Puts `hit_count`, `miss_count` and `filter` on `diagnostics`. */
  counts?: boolean;
}

/** One attempt to log in. Times are in ms of the service's clock. */
export interface LoginRecord {
  readonly kind: 'login';
  readonly arrivedAt: number;
  answeredAt?: number;
  /** Whether the client was gone before there was an answer. */
  gaveUp?: true;
  status?: number | Misbehaviour;
  outcome: 'pending' | 'granted' | 'refused' | 'breach' | 'scripted';
  userId?: string;
}

/** One request to the API host. Times are in ms of the service's clock. */
export interface RequestRecord {
  readonly kind: 'request';
  readonly arrivedAt: number;
  answeredAt?: number;
  /** Whether the client was gone before there was an answer. */
  gaveUp?: true;
  status?: number | Misbehaviour;
  readonly method: string;
  readonly url: string;
  readonly id: string | undefined;
  readonly set: DiagnosticSet | undefined;
  session: 'live' | 'dead' | 'none' | 'breach';
  /** Whether a switch or a script decided what was answered. */
  isDisturbed?: boolean;
}

/** All that happened; `breaches` has one sentence for every deviation from the specification. */
export interface ServiceRecords {
  readonly logins: LoginRecord[];
  readonly requests: RequestRecord[];
  readonly breaches: string[];
  /** How often a person (or a client that followed a refusal) opened the login page. */
  loginPageViews: number;
}

/** Faults to turn on and off while the service runs. */
export interface ServiceSwitches {
  /** Every login is answered as if the password were wrong. */
  loginRefused: boolean;
  /** The password that the account has now. */
  userSecret: string;
  /** Every login is answered with this status, without cookies. */
  loginStatus: number | undefined;
  /** Every request to the API is answered with this status. */
  apiStatus: number | undefined;
  /** Time between arrival and answer, for both hosts. */
  latencyMs: number;
  /** Every request, on both hosts, ends in a connection reset. */
  resetConnections: boolean;
}

/** Options of `startDiagnosticsService`. */
export interface DiagnosticsServiceOptions {
  certificates: Certificates;
  /** The minimum wait after a 202 (specification 8); default 10 s. */
  waitMs?: number;
  /** The `Domain` of the cookies, whatever name the login host has: under an alias it does not fit that name. */
  cookieDomain?: string;
  /** The name in the three addresses; the ports are on 127.0.0.1 in any case. */
  hostname?: string;
  /** The API, the login servers and the login page share one host, with one port. */
  isOneHost?: boolean;
  now?: () => number;
}
