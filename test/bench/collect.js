/**
 * Loaded into a subject to measure its memory: collects garbage on request and reports the remaining bytes. It is plain
 * JavaScript, because TypeScript would load more code into the subject.
 */
process.on('message', () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send(heapUsed + external);
});
process.channel.unref();
