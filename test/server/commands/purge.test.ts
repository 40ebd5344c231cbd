import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../../static/commands/run-command.js'
import { temporaryDir } from '../store/temporary-dir.js'

const purge = (args: string[], env: Record<string, string> = {}) => runCommand(['purge', ...args], { env })

it.each([['example.com'], ['https://example.com/'], ['--all']])('purges %s', async (target) => {
  expect(await purge([target, `--data-dir=${await temporaryDir()}`])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Purged 0 cache entries and 0 images.\n',
  })
})

it.each([[[]], [['a.example', 'b.example']], [['a.example', '--all']], [['https://']], [['--every']]])(
  'rejects %j',
  async (args) => {
    expect(await purge([...args, `--data-dir=${await temporaryDir()}`])).toMatchObject({ code: 2, stdout: '' })
  },
)

it('reads the store from flags before the environment', async () => {
  const dataDir = await temporaryDir()
  await writeFile(join(dataDir, 'file'), '')
  const env = { PAGE_PREVIEW_DATA_DIR: join(dataDir, 'file'), PAGE_PREVIEW_REDIS: 'nonsense' }
  expect((await purge(['--all'], { PAGE_PREVIEW_DATA_DIR: env.PAGE_PREVIEW_DATA_DIR })).stderr).toContain(
    `The data folder ${join(dataDir, 'file')} cannot be used`,
  )
  expect((await purge(['--all', `--data-dir=${dataDir}`], env)).stderr).toContain('--redis must be a URL like')
  const { code, stderr } = await purge(['--all', `--data-dir=${dataDir}`, '--redis=redis://127.0.0.1:1'], env)
  expect([code, stderr]).toEqual([1, expect.stringContaining('connect ECONNREFUSED 127.0.0.1:1')])
})

it('reads addresses that are secrets from files, and rejects a file that is missing', async () => {
  const dataDir = await temporaryDir()
  const secretIn = async (name: string, secret: string) => {
    await writeFile(join(dataDir, name), `${secret}\n`)
    return join(dataDir, name)
  }
  const redis = { PAGE_PREVIEW_REDIS_FILE: await secretIn('redis', 'cache:hush') }
  const s3 = { PAGE_PREVIEW_S3_FILE: await secretIn('s3', 's3://key:hush@previews?x=1') }
  const flags = ['--all', `--data-dir=${dataDir}`]
  const outputs = [await purge(flags, redis), await purge(flags, s3)]
  expect(outputs).toMatchObject([
    { code: 1, stderr: expect.stringContaining('--redis must be a URL like') },
    { code: 1, stderr: expect.stringContaining('--s3 has the unknown parameter "x"') },
  ])
  expect(JSON.stringify(outputs)).not.toContain('hush')
  const missing = { PAGE_PREVIEW_REDIS_FILE: join(dataDir, 'missing') }
  expect(await purge(['--all'], missing)).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be read') })
})
