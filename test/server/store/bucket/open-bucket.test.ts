import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bucketFailure, createRotatingClient } from '../../../../src/server/store/bucket/open-bucket.js'
import { parseBucketUrl } from '../../../../src/server/store/index.js'
import { localSite, type LocalSite } from '../../../local-site.js'

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }

describe('parseBucketUrl', () => {
  const common = {
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    sessionToken: undefined,
    region: 'us-east-1',
    prefix: '',
  }
  it.each([
    [
      's3://previews',
      KEYS,
      {
        ...common,
        url: 'https://s3.us-east-1.amazonaws.com/previews',
        displayUrl: 's3://previews at s3.us-east-1.amazonaws.com',
      },
    ],
    [
      's3://previews/a/b/?region=eu-central-1',
      { ...KEYS, AWS_REGION: 'us-west-2', AWS_SESSION_TOKEN: 'token' },
      {
        ...common,
        url: 'https://s3.eu-central-1.amazonaws.com/previews',
        region: 'eu-central-1',
        prefix: 'a/b/',
        sessionToken: 'token',
        displayUrl: 's3://previews/a/b at s3.eu-central-1.amazonaws.com',
      },
    ],
    [
      's3://own:se%2Fcret@previews?endpoint=http://minio:9000/',
      KEYS,
      {
        ...common,
        accessKeyId: 'own',
        secretAccessKey: 'se/cret',
        url: 'http://minio:9000/previews',
        displayUrl: 's3://previews at minio:9000',
      },
    ],
    [
      's3://previews',
      { ...KEYS, AWS_DEFAULT_REGION: 'auto', AWS_ENDPOINT_URL_S3: 'https://r2.example.com' },
      {
        ...common,
        region: 'auto',
        url: 'https://r2.example.com/previews',
        displayUrl: 's3://previews at r2.example.com',
      },
    ],
  ])('parses %s', (text, env, config) => {
    expect(parseBucketUrl(text, env)).toEqual(config)
  })

  it.each([
    ['previews', KEYS, /^must be a URL like/],
    ['https://previews', KEYS, /^must be a URL like/],
    ['s3://', KEYS, /^must be a URL like/],
    ['s3://previews?regoin=x', KEYS, /^has the unknown parameter "regoin"/],
    ['s3://previews?endpoint=minio:9000', KEYS, /^needs an absolute/],
    ['s3://previews', {}, /^needs AWS_ACCESS_KEY_ID/],
    ['s3://key@previews', {}, /^needs AWS_ACCESS_KEY_ID/],
  ])('rejects %j', (text, env, reason) => {
    expect(() => parseBucketUrl(text, env)).toThrow(reason)
  })
})

describe('the client of a bucket', () => {
  let site: LocalSite
  let accepted = 'first'
  const received: string[] = []

  beforeAll(async () => {
    site = await localSite({
      '/object': (request, response) => {
        const [, key = ''] = /Credential=(\w+)\//.exec(request.headers.authorization ?? '') ?? []
        received.push(key)
        request.resume().on('end', () => response.writeHead(key === accepted ? 200 : 403).end())
      },
    })
  })
  afterAll(() => site.close())

  const credentials = (accessKeyId: string) => ({ accessKeyId, secretAccessKey: 'secret', sessionToken: undefined })
  const put = (client: ReturnType<typeof createRotatingClient>) =>
    client.fetch(`${site.url}/object`, { method: 'PUT', body: new Uint8Array([1]) })

  it('reads its credentials again when they are refused, and repeats the request with new ones', async () => {
    let stored = 'first'
    const client = createRotatingClient(() => credentials(stored), 'eu-central-1')
    expect((await put(client)).status).toBe(200)
    accepted = stored = 'second'
    expect((await put(client)).status).toBe(200)
    expect((await put(client)).status).toBe(200)
    expect(received.splice(0)).toEqual(['first', 'first', 'second', 'second'])
  })

  it('repeats nothing while the credentials are the same, or cannot be read', async () => {
    accepted = 'third'
    let isMissing = false
    const client = createRotatingClient(() => {
      if (isMissing) throw new Error('No such file')
      return credentials('second')
    }, 'eu-central-1')
    expect((await put(client)).status).toBe(403)
    isMissing = true
    expect((await put(client)).status).toBe(403)
    expect(received.splice(0)).toEqual(['second', 'second'])
  })
})

it.each([
  [403, 'AccessDenied', 'rejected'],
  [403, 'InvalidAccessKeyId', 'rejected'],
  [404, 'NoSuchBucket', 'rejected'],
  [403, 'QuotaExceeded', 'full'],
  [400, 'XMinioAdminBucketQuotaExceeded', 'full'],
  [507, undefined, 'full'],
  [503, 'SlowDown', 'throttled'],
  [429, undefined, 'throttled'],
  [503, 'ServiceUnavailable', 'unreachable'],
  [500, undefined, 'unreachable'],
] as const)('a response %i with %s means that the bucket is %s', (status, code, failure) => {
  expect(bucketFailure(status, code)).toBe(failure)
})
