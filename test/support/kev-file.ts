import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A catalogue in CISA's format with 1,600 entries: these CVEs with their dates, and other entries before and after
 * them.
 */
export function catalogueOf(
  days: Readonly<Record<string, string>>,
  released = new Date().toISOString(),
): string {
  const known = Object.entries(days);
  const others = Array.from(
    { length: 1_600 - known.length },
    (_, at) => [`CVE-2019-${20_000 + at}`, '2021-11-03'] as const,
  );
  const vulnerabilities = [...others.slice(0, 800), ...known, ...others.slice(800)].map(
    ([cveID, dateAdded]) => ({
      cveID,
      vendorProject: 'Example',
      product: 'Appliance',
      vulnerabilityName: 'Example Appliance Remote Code Execution Vulnerability',
      dateAdded,
      shortDescription: 'Example Appliance contains a vulnerability that allows for remote code execution.',
      requiredAction:
        'Apply mitigations per vendor instructions or discontinue use of the product if mitigations are unavailable.',
      dueDate: dateAdded,
      knownRansomwareCampaignUse: 'Unknown',
      notes: '',
      cwes: ['CWE-78'],
    }),
  );
  return JSON.stringify({
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    catalogVersion: released.slice(0, 10).replaceAll('-', '.'),
    dateReleased: released,
    count: vulnerabilities.length,
    vulnerabilities,
  });
}

/** A file for `KEV_FILE` that a test can change like an operator. It is deleted after the test. */
export function kevFile(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'kev-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'known_exploited_vulnerabilities.json');
  writeFileSync(path, text);
  return {
    path,
    write: (next: string) => writeFileSync(path, next),
    /** Replaces the file atomically, with a rename. */
    replace: (next: string) => {
      writeFileSync(`${path}.new`, next);
      renameSync(`${path}.new`, path);
    },
  };
}
