import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
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

it('reads addresses that are secrets from files, and rejects a file that is missing', () => {
  const dir = mkdtempSync(join(tmpdir(), 'page-preview-purge-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const redis = join(dir, 'redis')
  const s3 = join(dir, 's3')
  writeFileSync(redis, 'redis://:secret@cache\n')
  writeFileSync(s3, 's3://key:secret@bucket\n')
  const env = { PAGE_PREVIEW_REDIS_FILE: redis, PAGE_PREVIEW_S3_FILE: s3 }
  expect(readPurgeCommand(['--all'], env)).toMatchObject({
    redis: 'redis://:secret@cache',
    s3: 's3://key:secret@bucket',
  })
  const missing = { PAGE_PREVIEW_REDIS_FILE: join(dir, 'missing') }
  expect(() => readPurgeCommand(['--all'], missing)).toThrow(UsageError)
})
