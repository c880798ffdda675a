/** An address from a payload or an answer is not Slack's: nothing is sent there. */
export class NotSlack extends Error {
  constructor() {
    super('refused an address that is not Slack’s: it is on another host, or not https');
  }
}

/** Slack's own domains: hosts below them serve the Web API, response URLs and uploads. */
const DOMAINS = ['slack.com', 'slack-gov.com'];

/**
 * Gives what throws `NotSlack` unless an address is on a host of Slack, or on the one that the Web API is at: if that is
 * not Slack's own, it is the only one.
 */
export function slackHosts(apiUrl: string): (address: string) => void {
  const api = new URL(apiUrl);
  const isSlack = isOfSlack(api.hostname);
  return (address) => {
    const url = URL.parse(address);
    const isThere = url?.host === api.host && url.protocol === api.protocol;
    const isBeside = isSlack && url?.protocol === 'https:' && isOfSlack(url.hostname);
    if (!(isThere || isBeside) || url?.username !== '' || url.password !== '') throw new NotSlack();
  };
}

function isOfSlack(host: string): boolean {
  return DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
