import { EventEmitter } from 'node:events';
import type { IRedisClient } from 'bullmq';
import { expect, test } from 'vitest';
import { withErrorListener } from '../../../src/storage/redis/error-listener.ts';

class Connection extends EventEmitter {
  duplicate(): Connection {
    return new Connection();
  }
}

test('An error of a connection, of its copy and of a copy of that does not end the process', () => {
  const heard = withErrorListener(new Connection() as unknown as IRedisClient) as unknown as Connection;
  for (const connection of [heard, heard.duplicate(), heard.duplicate().duplicate()]) {
    expect(() => connection.emit('error', new Error('lost'))).not.toThrow();
  }
});
