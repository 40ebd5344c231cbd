import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { localSite } from '../../local-site.js'
import { temporaryDir } from '../../server/store/temporary-dir.js'
import { runCommand } from './run-command.js'

const run = (...args: string[]) => runCommand(args)

it.each([
  [['--help'], 'page-preview-server keys create|list|update|revoke|export|import'],
  [['help'], 'page-preview-server serve'],
  [['serve', '--help'], '--free-daily-limit N'],
  [['keys', '-h'], '--data-dir DIR'],
  [['--version'], '.'],
])('%j prints to stdout', async (args, part) => {
  const { code, stdout, stderr } = await run(...args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(part)
})

it.each([
  [[], 'A command is missing'],
  [['start'], 'Unknown command "start"'],
])('rejects %j with a sentence and exit code 2', async (args, part) => {
  expect(await run(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(part) })
})

it('serve rejects invalid options with one sentence each', async () => {
  const { code, stderr } = await run('serve', '--port=x', '--max-quue=1')
  expect(code).toBe(2)
  expect(stderr).toMatch(/Unknown flag --max-quue. Did you mean --max-queue\?[\s\S]*--port must be a whole number/)
})

it.each([
  ['--browser', (path: string) => [`--browser=${path}`]],
  ['CHROMIUM_PATH', () => []],
])('serve names the file of %s that it cannot run, and exits 1', async (name, flagsOf) => {
  const dataDir = await temporaryDir()
  const path = join(dataDir, 'nowhere', 'chromium')
  if (name === 'CHROMIUM_PATH') vi.stubEnv(name, path)
  const wrong = await run('serve', '--port=0', '--pro-port=0', `--data-dir=${dataDir}`, ...flagsOf(path))
  vi.unstubAllEnvs()
  expect(wrong).toMatchObject({ code: 1, stdout: '' })
  expect(wrong.stderr).toBe(
    `page-preview-server: ${name} is ${path}, but there is no file ${path}. Correct the path, or leave ${name} out to use a Chromium that is found or installed.\n`,
  )
})

it('serve names the Redis and the bucket that it cannot use, without credentials, and exits 1', async () => {
  const dataDir = await temporaryDir()
  const other = await localSite({})
  const flags = ['--port=0', '--pro-port=0', `--data-dir=${dataDir}`, '--log-level=silent']
  const redis = await run('serve', ...flags, `--redis=redis://me:hush@${other.host}`)
  expect(redis).toMatchObject({ code: 1, stdout: '' })
  expect(redis.stderr).toMatch(
    /^page-preview-server: Redis at redis:\/\/127\.0\.0\.1:\d+ cannot be used \(Unknown RESP type/,
  )
  const bucket = await run('serve', ...flags, `--s3=s3://me:hush@previews?endpoint=http://${other.host}`)
  expect(bucket).toMatchObject({ code: 1, stdout: '' })
  expect(bucket.stderr).toMatch(
    /^page-preview-server: The bucket s3:\/\/previews at 127\.0\.0\.1:\d+ cannot be used \(PUT failed with 404/,
  )
  expect(redis.stderr + bucket.stderr).not.toContain('hush')
  await other.close()
})

it.each([
  [['serv'], 'Unknown command "serv". Did you mean serve?'],
  [['list', '--json'], 'Unknown command "list". Use serve, keys, browser, purge, freeze, check, capture or mcp.'],
  [['keys', 'list', '--data-dr', 'x'], 'Unknown flag --data-dr. Did you mean --data-dir?'],
])('names what %j probably means', async (args, sentence) => {
  const { code, stderr } = await run(...args)
  expect(code).toBe(2)
  expect(stderr).toContain(sentence)
})
