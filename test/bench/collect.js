/**
 * Loaded before a subject whose memory is asked for: collects the garbage on request, and tells what remains in bytes.
 * Plain JavaScript, so that it brings nothing that the subject would not load.
 */
process.on('message', () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send(heapUsed + external);
});
process.channel.unref();
