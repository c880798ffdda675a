/** An address from a payload or an answer is not Slack's: nothing is sent there. */
export class NotSlack extends Error {
  constructor() {
    super('refused an address that is not Slack’s: it is on another host, or not https');
  }
}

/** Slack's own domains: hosts below them serve the Web API, response URLs and uploads. */
const DOMAINS = ['slack.com', 'slack-gov.com'];

/** Throws `NotSlack` unless the address is on a host of Slack, or on the one that the Web API is at. */
export type CheckHost = (address: string | URL) => void;

/** The hosts of Slack for a Web API address: if that is not Slack's own, it is the only one. */
export function slackHosts(apiUrl: string): CheckHost {
  const api = new URL(apiUrl);
  const isSlack = DOMAINS.some((domain) => isWithin(api.hostname, domain));
  return (address) => {
    const url = URL.parse(String(address));
    const isThere = url?.host === api.host && url.protocol === api.protocol;
    const isBeside =
      isSlack && url?.protocol === 'https:' && DOMAINS.some((domain) => isWithin(url.hostname, domain));
    if (!(isThere || isBeside) || url?.username !== '' || url.password !== '') throw new NotSlack();
  };
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
