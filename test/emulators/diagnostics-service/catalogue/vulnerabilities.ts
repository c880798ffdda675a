import { logBlocks } from './evidence.ts';
import { capitalized, oneOf, type Problem } from './problem.ts';

const UPGRADE =
  'Upgrade to version 17.1.3.4 or later, and limit management access to trusted networks until then.';

/** Vulnerabilities. Most have no evidence: the running version is all that counts. */
export const VULNERABILITIES: readonly Problem[] = [
  {
    suits: 'service',
    importance: 'CRITICAL',
    cves: 1,
    fixed: true,
    solutions: 1,
    action: UPGRADE,
    header: (component, cve) => `${capitalized(component)} vulnerability ${cve}`,
    summary: ({ name }) =>
      `An unauthenticated attacker who can reach the management port or a self address may run system commands through the ${name}. There is no exposure through the data plane; this is a control plane issue only.`,
  },
  {
    suits: 'service',
    importance: 'HIGH',
    cves: 1,
    fixed: true,
    solutions: 1,
    header: (component, cve) => `${capitalized(component)} memory exhaustion vulnerability ${cve}`,
    summary: ({ name, tag }) =>
      `Undisclosed requests can make the ${name} use more and more memory until the system ends the ${tag} process. Traffic is interrupted while the process restarts, and a device group may fail over. The vulnerability needs no login, but the attacker has to be able to open a connection to the service.`,
  },
  {
    suits: 'service',
    importance: 'HIGH',
    cves: 2,
    fixed: true,
    solutions: 2,
    header: ({ name }, cve) => `Expired tokens are accepted by the ${name} (${cve} and one more)`,
    summary: ({ name }) =>
      `The ${name} does not check the expiry of a token when the request comes over a connection that was opened while the token was still good. An attacker who has taken over such a connection keeps the rights of the user for as long as the connection lasts. Sessions that were ended by an administrator are affected in the same way: the change takes effect with the next connection only. Systems on which remote authentication is off and local users have one role each are affected as well, but the gain for an attacker is small there. The fix closes idle connections when a token expires, which some older automation clients will notice as an unexpected end of their session.`,
  },
  {
    suits: 'service',
    importance: 'MEDIUM',
    cves: 1,
    fixed: true,
    solutions: 1,
    header: (component, cve) => `${capitalized(component)} information disclosure ${cve}`,
    summary: ({ name }) =>
      `Error messages of the ${name} can contain internal addresses, user names and parts of the running configuration. A user with the guest role can provoke them.`,
  },
  {
    suits: 'service',
    importance: 'MEDIUM',
    cves: 3,
    solutions: 1,
    header: ({ name }) => `The ${name} contains a third-party library with known vulnerabilities`,
    summary: ({ name }) =>
      `The ${name} is built with a version of an XML library for which several vulnerabilities are known. Under the default configuration the affected functions receive input from authenticated administrators only.`,
  },
  {
    suits: 'service',
    importance: 'LOW',
    cves: 1,
    solutions: 1,
    header: ({ name }, cve) => `Line breaks are not removed from audit entries of the ${name}, ${cve}`,
    summary: ({ name, tag }) =>
      `A user who may log in can place line breaks in a value that the ${name} writes to the audit log, and so make up entries that seem to come from ${tag}. Rights are not gained.`,
    evidence: ({ tag }, random) =>
      logBlocks(
        random,
        2,
        (index) => `notice ${tag}[${7_100 + index}]: AUDIT - user ops, command "describe \\n ok"`,
      ),
  },
  {
    suits: 'object',
    importance: 'HIGH',
    cves: 1,
    fixed: true,
    solutions: 1,
    header: (component, cve) => `Traffic engine may restart when ${oneOf(component)} is in use, ${cve}`,
    summary: (component) =>
      `When ${oneOf(component)} such as ${component.tag} is attached to a virtual server, undisclosed traffic can end the flowd process. The system recovers by itself, but all connections are lost. Only configurations with this kind of object are affected.`,
  },
  {
    suits: 'object',
    importance: 'MEDIUM',
    cves: 1,
    solutions: 0,
    header: (component, cve) => `Requests may be passed on unchecked by ${oneOf(component)}: ${cve}`,
    summary: ({ name }) =>
      `A request with an undisclosed combination of headers is passed on before the ${name} has seen all of it. Policies that come later in the chain still apply.`,
  },
];
