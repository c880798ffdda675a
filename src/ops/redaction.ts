const HIDDEN = '[hidden]';

/** Slack's tokens, wherever a library puts them. */
const TOKENS = /xox[a-z]-[\w-]+|xoxe\.[\w.-]+|xapp-[\w-]+/g;

/** A part of a line that is a secret: the text before it, and the first character after it. */
type Stretch = { readonly start: RegExp; readonly end: RegExp };

/** In nested JSON, quotation marks and slashes have backslashes before them: one, three, seven. */
const STRETCHES: readonly Stretch[] = [
  // Slack's response URLs.
  { start: /hooks\.slack\.com|files\.slack\.com\\{0,7}\/upload/g, end: /[\s"'<>]/g },
  // The same by field names, and other fields of a delivery, a login or a request that a library may print.
  {
    start:
      /"(?:token|response_url|upload_url|user_secret|cookie|set-cookie|authorization)\\{0,7}":\[?\\{0,7}"/gi,
    end: /"/g,
  },
  // The URL of a Socket Mode connection.
  { start: /[?&]ticket=/g, end: /[\s"&\\]/g },
  // The session cookies of the diagnostics service, and Slack's own cookies.
  { start: /\b(?:ssosession|userinfo|sso_completed)=/g, end: /[\s;"',]/g },
];
/** A URL may hold a user and a password, as that of a proxy or a Redis does. */
const SCHEME = /:\\{0,7}\/\\{0,7}\//g;
const END_OF_CREDENTIALS = /[\s/@"'<>]/g;

/**
 * Makes a function that hides secrets in a log line: the given ones in every encoding, and what looks like a secret of
 * Slack or of the service. A line of JSON stays JSON. Takes time linear in the line.
 */
export function redactionOf(secrets: readonly string[]): (line: string) => string {
  const spelled = [...new Set(secrets.flatMap(spellings))]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    // The longest secrets first, or the rest of a longer one would stay.
    .sort((one, other) => other.length - one.length);
  return (line) => {
    const known = spelled.reduce((text, secret) => text.replaceAll(secret, HIDDEN), line);
    const hidden = STRETCHES.reduce(hideStretches, known.replace(TOKENS, HIDDEN));
    return hideCredentials(hidden);
  };
}

/** Shorter texts are not hidden: they occur in harmless places too, and protect nothing. */
const SHORTEST_SECRET = 4;

/** A secret in each encoding: plain, in a URL or a form, in base64, and in JSON, which may be nested in JSON. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inUrl = encodeURIComponent(secret);
  return [
    secret,
    inUrl,
    inUrl.replaceAll('%20', '+'),
    Buffer.from(secret).toString('base64').replaceAll('=', ''),
    inJson,
    JSON.stringify(inJson).slice(1, -1),
  ];
}

function hideStretches(line: string, { start, end }: Stretch): string {
  const kept: string[] = [];
  let from = 0;
  for (const { 0: found, index } of line.matchAll(start)) {
    if (index < from) continue;
    const begin = index + found.length;
    let stop = firstOf(end, line, begin);
    // Backslashes before a quotation mark belong to it.
    while (line[stop] === '"' && stop > begin && line[stop - 1] === '\\') stop -= 1;
    if (stop > begin) kept.push(line.slice(from, begin), HIDDEN);
    else kept.push(line.slice(from, begin));
    from = stop;
  }
  return kept.join('') + line.slice(from);
}

function hideCredentials(line: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const { 0: scheme, index } of line.matchAll(SCHEME)) {
    const begin = index + scheme.length;
    const stop = firstOf(END_OF_CREDENTIALS, line, begin);
    if (line[stop] !== '@' || begin < from) continue;
    kept.push(line.slice(from, begin), HIDDEN);
    from = stop;
  }
  return kept.join('') + line.slice(from);
}

/** The index of the first such character from there on; the end of the line if there is none. */
function firstOf(characters: RegExp, line: string, from: number): number {
  characters.lastIndex = from;
  return characters.exec(line)?.index ?? line.length;
}
