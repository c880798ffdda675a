import '../compile-cache.js';

const { answerMainThread } = await import('./document-reader.ts');
await answerMainThread();
