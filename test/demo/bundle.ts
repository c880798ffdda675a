import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** The files that the browser loads. */
export interface Bundle {
  readonly script: string;
  readonly style: string;
}

const PAGE = fileURLToPath(new URL('page', import.meta.url));

/** Bundles the page, in memory. */
export async function bundlePage(): Promise<Bundle> {
  const built = await build({
    configFile: false,
    envDir: false,
    root: PAGE,
    logLevel: 'silent',
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
