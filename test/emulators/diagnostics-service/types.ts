import type { Certificates } from '../certificates.ts';
import type { SnapshotDocument } from './document.ts';

/** Which diagnostics a request asked for; `all` when `set` was absent (specification 4.2). */
export type DiagnosticSet = 'all' | 'hit' | 'miss';

/** A complete answer; `content-length` is added. */
export interface Reply {
  status: number;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/**
 * What a broken service does instead of answering: `reset` the connection, `hang` silently, `hang-in-body` after the
 * headers, `truncate` a body that was announced as longer, `trickle` an endless body slowly, or send a `huge` one fast.
 */
export type Misbehaviour = 'reset' | 'hang' | 'hang-in-body' | 'truncate' | 'trickle' | 'huge';

/** One scripted answer. `ordinary`: the usual answer; `sign-in-page`: HTML with status 200. */
export type ScriptedAnswer = Reply | Misbehaviour | 'ordinary' | 'sign-in-page';

/** The time until the analysis is ready, counted from the first request that has a session. */
export interface Processing {
  forMs: number | 'forever';
  /** The reasons of the 202s in turn, each for an equal part of `forMs`, or for 20 s if that is `forever`. */
  reasons?: string[];
}

/** A snapshot of the emulated service. */
export interface ShelfEntry {
  title: string;
  /** One sentence about the use of this snapshot in a demo. */
  purpose: string;
  document?: SnapshotDocument | ((now: number) => SnapshotDocument);
  /** What to type for this snapshot, if not only its id. */
  command?: string;
  /** Sent unfiltered instead of a document. */
  raw?: { body: string | Buffer; contentType?: string };
  processing?: Processing;
  /** The status of every answer, instead of a document. */
  status?: number;
  /** The target to which every request is redirected. */
  movedTo?: string;
  /** After the processing, every request gets a 500. */
  failsMidway?: boolean;
  /** Sets `hit_count`, `miss_count` and `filter` on `diagnostics`. */
  counts?: boolean;
}

/** One login. Times are milliseconds of the service's clock. */
export interface LoginRecord {
  readonly kind: 'login';
  readonly arrivedAt: number;
  answeredAt?: number;
  /** Whether the client disconnected before the answer. */
  gaveUp?: true;
  status?: number | Misbehaviour;
  outcome: 'pending' | 'granted' | 'refused' | 'breach' | 'scripted';
  userId?: string;
}

/** One request to the API host. Times are milliseconds of the service's clock. */
export interface RequestRecord {
  readonly kind: 'request';
  readonly arrivedAt: number;
  answeredAt?: number;
  /** Whether the client disconnected before the answer. */
  gaveUp?: true;
  status?: number | Misbehaviour;
  readonly method: string;
  readonly url: string;
  readonly id: string | undefined;
  readonly set: DiagnosticSet | undefined;
  session: 'live' | 'dead' | 'none' | 'breach';
  /** Whether a switch or a script changed the answer. */
  isDisturbed?: boolean;
}

/** Everything that happened. `breaches` has one sentence for each violation of the specification. */
export interface ServiceRecords {
  readonly logins: LoginRecord[];
  readonly requests: RequestRecord[];
  readonly breaches: string[];
  /** How often the login page was opened, by a person or by a client that followed a redirect. */
  loginPageViews: number;
}

/** Faults that can be switched on and off while the service runs. */
export interface ServiceSwitches {
  /** Answers every login as if the password were wrong. */
  loginRefused: boolean;
  /** The present password of the account. */
  userSecret: string;
  /** Answers every login with this status, without cookies. */
  loginStatus: number | undefined;
  /** Answers every request to the API with this status. */
  apiStatus: number | undefined;
  /** The time between a request and its answer, for both hosts. Milliseconds. */
  latencyMs: number;
  /** Resets the connection of every request, on both hosts. */
  resetConnections: boolean;
}

/** Options of `startDiagnosticsService`. */
export interface DiagnosticsServiceOptions {
  certificates: Certificates;
  /** The shortest allowed wait after a 202 (specification 8); default 10 s. */
  waitMs?: number;
  /** The `Domain` of the cookies, even if the login host has another name, which then does not match. */
  cookieDomain?: string;
  /** The host name in the three URLs; the servers always listen on 127.0.0.1. */
  hostname?: string;
  /** Whether the API, the login servers and the login page share one host and port. */
  isOneHost?: boolean;
  now?: () => number;
}
