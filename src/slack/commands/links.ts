import { isSnapshotId, type SnapshotId } from '../../core/diagnostics.ts';
import { idOfLink } from '../../core/texts.ts';

/** Hosts of the service, in lower case and without ports. */
export type Hosts = readonly string[];

const BEFORE_AN_ID = /^(?:qv|snapshots?|qkviews?)$/i;
/** A number behind one of these names something else. */
const BEFORE_ANOTHER = /^(?:case|ticket|order|sr|article)s?$/i;
const PARAMETER = /^(?:id|snapshot|qkview)$/i;
const USUAL_LENGTH = /^\d{7,9}$/;
const ANY_LENGTH = /^\d{4,20}$/;

/**
 * Reads a link, also one that a mail gateway or a search engine wrapped into another: the snapshots that it leads to, else
 * the CVE or the article. Ids are segments of the path with 7 to 9 digits, or with 4 to 20 where the host is the service's
 * or the segment before says so; and parameters of the service.
 */
export function readLink(
  address: string,
  hosts: Hosts,
): { readonly ids: readonly SnapshotId[]; readonly issue?: string | undefined } {
  const link = URL.parse(address);
  if (link === null) return { ids: [] };
  const isOfService = hosts.includes(link.hostname);
  const parameters = [...link.searchParams].filter(
    ([name, value]) => isOfService && PARAMETER.test(name) && ANY_LENGTH.test(value),
  );
  const ids = [...idsInPath(link, isOfService), ...parameters.map(([, id]) => id)].filter(isSnapshotId);
  if (ids.length > 0) return { ids };
  const inner = wrappedIn(link).map((each) => readLink(each, hosts));
  const found = inner.find((target) => target.ids.length > 0) ?? inner.find(({ issue }) => issue);
  return found ?? { ids, issue: idOfLink(address) };
}

function idsInPath({ pathname, hash }: URL, isOfService: boolean): string[] {
  // Apps of one page have their path behind `#/`.
  const segments = `${pathname}/${hash}`.split('/');
  return segments.filter((segment, at) => {
    const before = segments[at - 1] ?? '';
    const length = isOfService || BEFORE_AN_ID.test(before) ? ANY_LENGTH : USUAL_LENGTH;
    return length.test(segment) && !BEFORE_ANOTHER.test(before);
  });
}

/** The links in the parameters (Safe Links, Google), and the one that Proofpoint wrapped. */
function wrappedIn({ href, searchParams }: URL): string[] {
  const [, ofProofpoint = ''] = href.split('/v3/__');
  const [unwrapped = ''] = ofProofpoint.split('__;');
  return [unwrapped, ...searchParams.values()].filter((value) => /^https?:\/\//i.test(value));
}
