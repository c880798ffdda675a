import type { Diagnostic, DiagnosticsResult } from '../../src/core/diagnostics.ts';

/** A diagnostic whose fields are all empty. */
const SILENT = {
  ...{ name: '', match: 'miss', importance: '', title: '', summary: '', action: '', output: [] },
  ...{ solutions: [], cveIds: [], fixedIn: [] },
} as const;

/** A hit with the given fields; all other fields are empty. */
export function aDiagnostic(said: Partial<Diagnostic> = {}): Diagnostic {
  return { ...SILENT, name: 'D000000001', match: 'hit', importance: 'HIGH', ...said };
}

/** An analysis with these diagnostics, of a device that runs this version. */
export function aResult(diagnostics: readonly Diagnostic[], version = '17.1.3'): DiagnosticsResult {
  return {
    sha1: '',
    device: { hostname: '', chassisSerial: 'chs600777s', platform: '' },
    software: { product: 'Product', version, edition: '', built: '' },
    stated: {},
    diagnostics,
  };
}
