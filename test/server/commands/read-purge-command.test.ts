import { expect, it } from 'vitest'
import { readPurgeCommand } from '../../../src/server/commands/read-purge-command.js'
import { UsageError } from '../../../src/server/commands/usage-error.js'

it('reads the target, and the store from flags before the environment', () => {
  const env = { PAGE_PREVIEW_REDIS: 'redis://cache', PAGE_PREVIEW_S3: 's3://bucket', PAGE_PREVIEW_DATA_DIR: '/data' }
  expect(readPurgeCommand(['example.com', '--redis=redis://other'], env)).toEqual({
    target: { host: 'example.com' },
    dataDir: '/data',
    redis: 'redis://other',
    redisPrefix: undefined,
    s3: 's3://bucket',
  })
  expect(readPurgeCommand(['https://example.com/'], {}).target).toHaveProperty('page')
  expect(readPurgeCommand(['--all'], {}).target).toEqual({ all: true })
})

it.each([[[]], [['a.example', 'b.example']], [['a.example', '--all']], [['https://']], [['--every']]])(
  'rejects %j',
  (args) => {
    expect(() => readPurgeCommand(args, {})).toThrow(UsageError)
  },
)
