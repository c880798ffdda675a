import { z } from 'zod';
import type { Question } from '../core/lookup.ts';
import { DIAGNOSTIC_SETS, isSnapshotId } from '../core/snapshot-id.ts';
import { shorten } from './limits.ts';

const snapshotId = z.string().refine(isSnapshotId);
const question = z.object({ id: snapshotId, set: z.enum(DIAGNOSTIC_SETS) });
const page = question.extend({ page: z.int().min(0), by: z.string() });
const hit = question.extend({ hit: z.int().min(0), name: z.string(), part: z.int().min(0) });

const cancel = z.object({ lookup: z.string(), by: z.string() });

/** A name can be of any length, a value can't. */
const LONGEST_NAME = 60;

/** A page of a result, counted from 0, and who asked for the result. */
export type PageValue = { readonly question: Question; readonly page: number; readonly askedBy: string };
/** A part of the details of one hit, both counted from 0, the hit in the result's order. `name` may be cut. */
export type HitValue = {
  readonly question: Question;
  readonly hit: number;
  readonly name: string;
  readonly part: number;
};

export function questionValue({ snapshotId: id, set }: Question): string {
  return JSON.stringify({ id, set });
}

export function pageValue({ question: { snapshotId: id, set }, page: number, askedBy }: PageValue): string {
  return JSON.stringify({ id, set, page: number, by: askedBy });
}

export function hitValue({ question, hit: number, name, part }: HitValue): string {
  const { snapshotId: id, set } = question;
  return JSON.stringify({ id, set, hit: number, name: nameInValue(name), part });
}

/** A name as a value carries it, to compare with. */
export function nameInValue(name: string): string {
  return shorten(name, LONGEST_NAME);
}

/** The lookup that "Cancel" ends, and who may. */
export type CancelValue = { readonly lookupId: string; readonly askedBy: string };

export function cancelValue({ lookupId, askedBy }: CancelValue): string {
  return JSON.stringify({ lookup: lookupId, by: askedBy });
}

export function readCancel(value: string | undefined): CancelValue {
  const { lookup, by } = cancel.parse(JSON.parse(value ?? ''));
  return { lookupId: lookup, askedBy: by };
}

/** Throws when the text is no value of such a button: only Slack can have altered it. */
export function readQuestion(value: string | undefined): Question {
  const { id, set } = question.parse(JSON.parse(value ?? ''));
  return { snapshotId: id, set };
}

export function readPage(value: string | undefined): PageValue {
  const { page: number, by } = page.parse(JSON.parse(value ?? ''));
  return { question: readQuestion(value), page: number, askedBy: by };
}

export function readHit(value: string | undefined): HitValue {
  const { hit: number, name, part } = hit.parse(JSON.parse(value ?? ''));
  return { question: readQuestion(value), hit: number, name, part };
}
