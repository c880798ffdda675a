/** The process stops, which ends this work: it is done after the next start. Nobody is told, so it is no fault. */
export class Stopping extends Error {
  constructor() {
    super('the process stops');
  }
}
