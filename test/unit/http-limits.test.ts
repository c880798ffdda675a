import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { limitConnections, SERVER_OPTIONS } from '../../src/slack/connection/http-limits.ts';

const MOST = 1_000;

test('Of 1,001 connections the last one is closed at once, and the others stay open', async () => {
  const server = limitConnections(createServer({ ...SERVER_OPTIONS, headersTimeout: 0, requestTimeout: 0 }));
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2 * MOST });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: MOST }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const last = connect(port, '127.0.0.1').resume();
  // Node closes it after it was accepted, in whichever way the system tells.
  await once(last, 'close').catch(() => {});
  expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
  for (const socket of sockets) socket.destroy();
  server.close();
});
