import type { Fault } from '../core/faults.ts';
import type { Question } from '../core/lookup.ts';
import { CompositionFailed } from './lookup-status.ts';

/** A fault, with the question that it left unanswered. */
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
 * A message could not be delivered, or state could not be read or written: the step is retried. This differs from a
 * fault of the service, which is an answer in itself.
 */
export class StepInterrupted extends Error {
  constructor(cause: unknown) {
    super('a step of a lookup was interrupted', { cause });
  }
}

/** A step in which the process died each time: it is not tried again. */
export class DeadlyStep extends Error {
  constructor(deaths: number) {
    super(`the process died ${deaths} times in the same step of this lookup`);
  }
}

/** Does work of a step, and throws `StepInterrupted` for whatever it throws but `CompositionFailed`. */
export async function interruptible<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CompositionFailed ? error : new StepInterrupted(error);
  }
}
