import type { Fault } from '../core/faults.ts';
import type { Question } from '../core/lookup.ts';

/** A fault, and which question it left without an answer. */
export class Unanswered extends Error {
  readonly question: Question;
  readonly fault: Fault;
  constructor(question: Question, fault: Fault) {
    super('a question could not be answered', { cause: fault });
    this.question = question;
    this.fault = fault;
  }
}

/**
 * A message that could not be delivered, or state that could not be read or written: the step is repeated. Kept apart
 * from an answer that could not be had, which is itself something to tell.
 */
export class StepInterrupted extends Error {
  constructor(cause: unknown) {
    super('a step of a lookup was interrupted', { cause });
  }
}
