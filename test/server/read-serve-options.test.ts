import { describe, expect, it } from 'vitest'
import { OptionsError, readServeOptions, serveOptions } from '../../src/server/index.js'
import { optionVariable } from '../../src/server/serve-options.js'

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
      port: 3000,
      proPort: 3001,
      host: '127.0.0.1',
      freeDailyLimit: 250,
      storeMax: 5e9,
      allowTarget: [],
      denyTarget: [],
      concurrency: 2,
      queue: 50,
      browserUser: 'nobody',
      allowUnsandboxed: false,
      maxConnections: 1000,
      maxConnectionsPerClient: 250,
      drainDelay: 0,
      trustProxy: 0,
      redisPrefix: 'page-preview',
      demo: false,
      accessLog: false,
      logLevel: 'info',
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

  it('reads the signing secret from the environment alone', () => {
    const env = { PAGE_PREVIEW_SIGNING_SECRET: 'hush', PAGE_PREVIEW_SIGNING_SECRET_FILE: '/secret' }
    expect(readServeOptions([], env)).toMatchObject({ signingSecret: 'hush', signingSecretFile: '/secret' })
    expect(mistakes(['--signing-secret=hush'])).toEqual([
      '--signing-secret is not an option of serve; did you mean --signing-secret-file?',
    ])
  })

  it('accepts a list option several times', () => {
    expect(readServeOptions(['--allow-target', 'a', '--allow-target=b:2'], {}).allowTarget).toEqual(['a', 'b:2'])
  })

  it('reports all mistakes at once, one sentence each', () => {
    expect(
      mistakes(['--prot=1', '--port=70000', '--public-url=x', '--queue'], { PAGE_PREVIEW_STORE_MAX: 'much' }),
    ).toEqual([
      '--prot is not an option of serve; did you mean --port?',
      '--queue needs a value.',
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

  it('names an environment variable for each option', () => {
    expect(Object.keys(serveOptions).map(optionVariable)).toContain('PAGE_PREVIEW_FREE_DAILY_LIMIT')
  })
})
