import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** The files that the browser loads. */
export interface Bundle {
  readonly script: string;
  readonly style: string;
}

const PAGE = fileURLToPath(new URL('page', import.meta.url));

let bundling: Promise<Bundle> | undefined;

/** Bundles the page in memory, once in a process. */
export function bundlePage(): Promise<Bundle> {
  bundling ??= bundle();
  return bundling;
}

async function bundle(): Promise<Bundle> {
  const built = await build({
    configFile: false,
    envDir: false,
    root: PAGE,
    logLevel: 'silent',
    // Always React for production: React for development, which `npm test` would choose, is several times slower.
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { conditions: ['module', 'browser', 'production'] },
    oxc: { jsx: { development: false } },
    build: {
      write: false,
      cssCodeSplit: false,
      reportCompressedSize: false,
      modulePreload: false,
      target: 'esnext',
      rolldownOptions: { input: `${PAGE}/index.tsx`, output: { codeSplitting: false } },
    },
  });
  const files = (Array.isArray(built) ? built : [built]).flatMap((result) =>
    'output' in result ? result.output : [],
  );
  const script = files.find((file) => file.type === 'chunk')?.code ?? '';
  const style = files.find((file) => file.fileName.endsWith('.css'));
  return { script, style: style?.type === 'asset' ? String(style.source) : '' };
}
