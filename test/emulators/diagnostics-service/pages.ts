import { escapeUTF8 } from 'entities/escape';
import type { Reply } from './types.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** The sign-in page, with status 200, which a careless client mistakes for data. */
export function signInPage(): Reply {
  const body = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in</title></head>
<body>
<h1>Sign in to Acme</h1>
<form method="post" action="/resource/login.jsp">
<label>User ID <input name="user_id" autocomplete="username"></label>
<label>Password <input name="user_secret" type="password" autocomplete="current-password"></label>
<button>Sign in</button>
</form>
<p>This page belongs to an emulator: it accepts nobody.</p>
</body>
</html>
`;
  return { status: 200, headers: HTML, body };
}

/** An error page in HTML; the specification (7) does not define the format of error bodies. */
export function errorPage(status: number, title: string, detail: string): Reply {
  const body = `<html><head><title>${status} ${escapeUTF8(title)}</title></head>
<body><h1>${escapeUTF8(title)}</h1><p>${escapeUTF8(detail)}</p><hr><address>Acme web tier</address></body></html>
`;
  return { status, headers: HTML, body };
}

/** A 302 without a body. */
export function redirect(location: string): Reply {
  return { status: 302, headers: { location } };
}
