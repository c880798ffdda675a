import '../compile-cache.js';

await import('./document-worker.ts');
