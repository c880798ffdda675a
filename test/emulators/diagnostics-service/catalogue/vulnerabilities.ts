import { facts, type Problem } from './problem.ts';

const UPGRADE =
  'Upgrade to version 17.1.3.4 or later, and limit management access to trusted networks until then.';

/** Vulnerabilities. Most have no evidence, because they depend only on the running version. */
export const VULNERABILITIES: readonly Problem[] = [
  {
    ...facts('service', 'CRITICAL', 1, { cves: 1, fixed: true }),
    action: UPGRADE,
    header: '{Name} vulnerability {cve}',
    summary:
      'An unauthenticated attacker who can reach the management port or a self address may run system commands through the {name}. There is no exposure through the data plane; this is a control plane issue only.',
  },
  {
    ...facts('service', 'HIGH', 1, { cves: 1, fixed: true }),
    header: '{Name} memory exhaustion vulnerability {cve}',
    summary:
      'Undisclosed requests can make the {name} use more and more memory until the system ends the {tag} process. Traffic is interrupted while the process restarts, and a device group may fail over. The vulnerability needs no login, but the attacker has to be able to open a connection to the service.',
  },
  {
    ...facts('service', 'HIGH', 2, { cves: 2, fixed: true }),
    header: 'Expired tokens are accepted by the {name} ({cve} and one more)',
    summary:
      'The {name} does not check the expiry of a token when the request comes over a connection that was opened while the token was still good. An attacker who has taken over such a connection keeps the rights of the user for as long as the connection lasts. Sessions that were ended by an administrator are affected in the same way: the change takes effect with the next connection only. Systems on which remote authentication is off and local users have one role each are affected as well, but the gain for an attacker is small there. The fix closes idle connections when a token expires, which some older automation clients will notice as an unexpected end of their session.',
  },
  {
    ...facts('service', 'MEDIUM', 1, { cves: 1, fixed: true }),
    header: '{Name} information disclosure {cve}',
    summary:
      'Error messages of the {name} can contain internal addresses, user names and parts of the running configuration. A user with the guest role can provoke them.',
  },
  {
    ...facts('service', 'MEDIUM', 1, { cves: 3 }),
    header: 'The {name} contains a third-party library with known vulnerabilities',
    summary:
      'The {name} is built with a version of an XML library for which several vulnerabilities are known. Under the default configuration the affected functions receive input from authenticated administrators only.',
  },
  {
    ...facts('service', 'LOW', 1, { cves: 1 }),
    header: 'Line breaks are not removed from audit entries of the {name}, {cve}',
    summary:
      'A user who may log in can place line breaks in a value that the {name} writes to the audit log, and so make up entries that seem to come from {tag}. Rights are not gained.',
    log: ['notice {tag}[710{n}]: AUDIT - user ops, command "describe \\n ok"', 2],
  },
  {
    ...facts('object', 'HIGH', 1, { cves: 1, fixed: true }),
    header: 'Traffic engine may restart when {a name} is in use, {cve}',
    summary:
      'When {a name} such as {tag} is attached to a virtual server, undisclosed traffic can end the flowd process. The system recovers by itself, but all connections are lost. Only configurations with this kind of object are affected.',
  },
  {
    ...facts('object', 'MEDIUM', 0, { cves: 1 }),
    header: 'Requests may be passed on unchecked by {a name}: {cve}',
    summary:
      'A request with an undisclosed combination of headers is passed on before the {name} has seen all of it. Policies that come later in the chain still apply.',
  },
];
