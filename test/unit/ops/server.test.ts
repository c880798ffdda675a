import { expect, test } from 'vitest';
import { createOpsServer } from '../../../src/ops/server.ts';

test('A route is found whatever its query says; another path or method is not', async () => {
  const server = createOpsServer(0, [
    { method: 'GET', path: '/readyz', handler: (_request, response) => void response.end('ready') },
  ]);
  await server.start();
  const at = (path: string, method = 'GET') =>
    fetch(`http://127.0.0.1:${server.port()}${path}`, { method }).then(({ status }) => status);
  expect(await Promise.all([at('/readyz'), at('/readyz?verbose=1'), at('/readyz/'), at('/')])).toEqual([
    200, 200, 404, 404,
  ]);
  expect(await at('/readyz', 'POST')).toBe(404);
  await server.stop();
  // What does not listen can be stopped as well.
  await server.stop();
});

test('A stop does not wait for those who are still connected', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const server = createOpsServer(0, [{ method: 'GET', path: '/slow', handler: () => resolve() }]);
  await server.start();
  const answer = fetch(`http://127.0.0.1:${server.port()}/slow`).catch(() => 'cut off');
  await asked;
  await server.stop();
  expect(await answer).toBe('cut off');
});
