// Covers readServeOptions in src/server/serve.ts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OptionsError, readServeOptions, serveOptions } from '../../src/server/index.js'
import { optionVariable } from '../../src/command-line/index.js'

const mistakes = (args: string[], env = {}) => {
  try {
    readServeOptions(args, env)
  } catch (error) {
    if (error instanceof OptionsError) return error.mistakes
    throw error
  }
  return []
}

describe('readServeOptions', () => {
  it('applies the defaults', () => {
    expect(readServeOptions([], {})).toEqual({
      role: 'all',
      port: 3000,
      proPort: 3001,
      host: '127.0.0.1',
      freeDailyLimit: 250,
      ignoreOptOut: false,
      freeHistory: false,
      storeMax: 5e9,
      allowTarget: [],
      denyTarget: [],
      deny: [],
      concurrency: 2,
      maxQueue: 50,
      browserUser: 'nobody',
      allowUnsandboxed: false,
      maxConnections: 1000,
      maxConnectionsPerClient: 250,
      drainDelay: 0,
      trustProxy: 0,
      redisPrefix: 'page-preview',
      demo: false,
      demoPort: 3002,
      accessLog: false,
      logLevel: 'info',
      noBrowserUpdate: false,
      exposedPasswords: [],
    })
  })

  it('reads flags, and the environment for options without a flag', () => {
    const env = {
      PAGE_PREVIEW_PORT: '4000',
      PAGE_PREVIEW_STORE_MAX: '1 GB',
      PAGE_PREVIEW_ALLOW_TARGET: 'a:1,b',
      PAGE_PREVIEW_DEMO: 'true',
    }
    const args = ['--port', '5000', '--public-url=https://previews.example/', '--log-level=warn']
    expect(readServeOptions(args, env)).toMatchObject({
      port: 5000,
      publicUrl: 'https://previews.example',
      storeMax: 1e9,
      allowTarget: ['a:1', 'b'],
      demo: true,
      logLevel: 'warn',
    })
  })

  it('reads the path of a browser, which is on this machine', () => {
    expect(readServeOptions([], { PAGE_PREVIEW_BROWSER: '/opt/my chromium, 153/chrome' }).browser).toBe(
      '/opt/my chromium, 153/chrome',
    )
    for (const address of ['http://chromium:9222', 'ws://chromium/devtools/browser/1'])
      expect(mistakes([`--browser=${address}`])).toEqual([
        '--browser must be the path of a Chromium; for a browser on another machine, run a worker there.',
      ])
  })

  const secret = { PAGE_PREVIEW_WORKER_SECRET: 'shared' }
  it.each([
    { args: '--role=worker', says: '--role worker needs --worker-secret-file' },
    { args: '--role=front', env: secret, says: '--role front needs --workers' },
    { args: '--role=front --workers=http://balancer:8000', says: '--role front needs --worker-secret-file' },
    { args: '--role=front --workers=balancer', env: secret, says: '--workers must be' },
    { args: '--role=front --workers=http://balancer --demo', env: secret, says: '--demo is for --role all' },
    { args: '--workers=http://balancer:8000', says: '--workers is not for --role all' },
    { args: '', env: secret, says: 'PAGE_PREVIEW_WORKER_SECRET is not for --role all' },
    { args: '--role=worker --redis=redis://h', env: secret, says: '--redis is not for --role worker' },
    {
      args: '--role=worker --s3=s3://bucket',
      env: { ...secret, AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' },
      says: '--s3 is not for --role worker',
    },
    { args: '--role=worker --queue=redis://h', env: secret, says: '--queue is not for --role worker' },
    { args: '--role=worker --keys=keys', env: secret, says: '--keys is not for --role worker' },
    {
      args: '--role=worker --signing-secret-file=f',
      env: secret,
      says: '--signing-secret-file is not for --role worker',
    },
    {
      args: '--role=worker',
      env: { ...secret, PAGE_PREVIEW_SIGNING_SECRET: 'stolen' },
      says: 'PAGE_PREVIEW_SIGNING_SECRET is not for --role worker',
    },
    { args: '--role=worker --workers=http://balancer', env: secret, says: '--workers is not for --role worker' },
    { args: '--role=worker --admin-port=1', env: secret, says: '--admin-port is not for --role worker' },
    { args: '--role=boss', says: '--role must be' },
  ])('refuses options that their role does not have: $args', ({ args, env = {}, says }) => {
    const [mistake, ...others] = mistakes(args.split(' ').filter(Boolean), env)
    expect(mistake).toContain(says)
    expect(mistake).not.toContain('stolen')
    expect(others).toEqual([])
  })

  it('reads the secret of the workers from the environment, or the file that has it', () => {
    const worker = { PAGE_PREVIEW_ROLE: 'worker' }
    expect(readServeOptions([], { ...worker, ...secret })).toMatchObject({ role: 'worker', workerSecret: 'shared' })
    expect(readServeOptions(['--worker-secret-file=/secret'], worker)).toMatchObject({ workerSecretFile: '/secret' })
    expect(mistakes(['--role=worker', '--worker-secret=visible'])[0]).toContain('--worker-secret')
  })

  it('reads the signing secret from the environment alone', () => {
    const env = { PAGE_PREVIEW_SIGNING_SECRET: 'hush', PAGE_PREVIEW_SIGNING_SECRET_FILE: '/secret' }
    expect(readServeOptions([], env)).toMatchObject({ signingSecret: 'hush', signingSecretFile: '/secret' })
    expect(mistakes(['--signing-secret=hush'])).toEqual([
      'Unknown flag --signing-secret. Did you mean --signing-secret-file?',
    ])
  })

  it('reads the host of the pro host as requests name it, and refuses what no request can name', () => {
    for (const [written, host] of [
      ['Pro.example.com', 'pro.example.com'],
      ['pro.example.com:8080', 'pro.example.com:8080'],
      ['bücher.example', 'xn--bcher-kva.example'],
      ['[::1]', '[::1]'],
    ])
      expect(readServeOptions([`--pro-host=${written}`], {}).proHost).toBe(host)
    for (const written of [
      'https://pro.example.com',
      'pro example',
      'pro.example.com/previews',
      'key@pro.example.com',
      'a:b',
    ])
      expect(mistakes([`--pro-host=${written}`])).toEqual([
        `--pro-host must be a host like pro.example.com, without http://, not "${written}".`,
      ])
  })

  it.each(['concurrency', 'max-connections', 'max-connections-per-client'])('needs at least 1 for %s', (name) => {
    expect(mistakes([`--${name}=0`])).toEqual([expect.stringMatching(`^--${name} must be a whole number from 1 `)])
  })

  it('accepts a list option several times', () => {
    expect(readServeOptions(['--allow-target', 'a', '--allow-target=b:2'], {}).allowTarget).toEqual(['a', 'b:2'])
  })

  it('reports all mistakes at once, one sentence each', () => {
    expect(
      mistakes(['--prot=1', '--port=70000', '--public-url=x', '--max-queue'], { PAGE_PREVIEW_STORE_MAX: 'much' }),
    ).toEqual([
      'Unknown flag --prot. Did you mean --port?',
      '--max-queue needs a value.',
      '--port must be a whole number up to 65535, not "70000".',
      '--public-url must be an absolute http(s) URL, not "x".',
      'PAGE_PREVIEW_STORE_MAX must be a size of at least 1MB like 5GB, not "much".',
    ])
  })

  it('accepts the URLs of shared stores, and leaves secrets out of the errors about invalid ones', () => {
    const env = { PAGE_PREVIEW_REDIS: 'redis://:secret@cache/1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
    expect(readServeOptions(['--s3=s3://previews/folder'], env)).toMatchObject({
      redis: 'redis://:secret@cache/1',
      s3: 's3://previews/folder',
    })
    expect(mistakes(['--redis', 'cache:secret', '--s3', 's3://key:secret@previews?x=1'])).toEqual([
      '--redis must be a URL like redis://host:6379, or rediss://host:6379 for TLS.',
      '--s3 has the unknown parameter "x"; supported are region and endpoint.',
    ])
  })

  it('reads the URLs of shared stores and the credentials of the bucket from files', () => {
    const dir = mkdtempSync(join(tmpdir(), 'page-preview-options-'))
    const file = (name: string, content: string) => {
      writeFileSync(join(dir, name), content)
      return join(dir, name)
    }
    const env = {
      PAGE_PREVIEW_REDIS: 'redis://elsewhere',
      PAGE_PREVIEW_REDIS_FILE: file('redis', 'redis://:secret@cache/1\n'),
      PAGE_PREVIEW_S3_FILE: file('s3', 's3://previews\n'),
      AWS_ACCESS_KEY_ID_FILE: file('id', 'a\n'),
      AWS_SECRET_ACCESS_KEY_FILE: file('key', 'b\n'),
    }
    expect(readServeOptions([], env)).toMatchObject({
      redis: 'redis://:secret@cache/1',
      s3: 's3://previews',
      exposedPasswords: [],
    })
    expect(readServeOptions(['--redis=redis://cache'], env)).toMatchObject({ redis: 'redis://cache' })
    const broken = { ...env, PAGE_PREVIEW_REDIS_FILE: join(dir, 'none'), AWS_ACCESS_KEY_ID_FILE: file('empty', '') }
    const advice = 'put the secret in that file and make it readable by the user of the service'
    expect(mistakes([], broken)).toEqual([
      `PAGE_PREVIEW_REDIS_FILE points to ${dir}/none, which cannot be read (ENOENT); ${advice}.`,
      `PAGE_PREVIEW_S3_FILE needs credentials: AWS_ACCESS_KEY_ID_FILE points to ${dir}/empty, which is empty; ${advice}.`,
    ])
    rmSync(dir, { recursive: true })
  })

  it('names the options whose passwords others can read in the list of processes', () => {
    const env = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
    const exposedIn = (...args: string[]) => readServeOptions(args, env).exposedPasswords
    expect(exposedIn('--redis=redis://:secret@cache', '--s3', 's3://key:secret@previews')).toEqual(['redis', 's3'])
    expect(exposedIn('--redis=redis://cache', '--s3=s3://previews')).toEqual([])
  })

  it('names an environment variable for each option', () => {
    expect(Object.keys(serveOptions).map(optionVariable)).toContain('PAGE_PREVIEW_FREE_DAILY_LIMIT')
  })
})
