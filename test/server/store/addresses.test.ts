import { describe, expect, it } from 'vitest'
import { readBucketUrl, readRedisUrl } from '../../../src/server/store/index.js'

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }

describe('the address of a Redis', () => {
  const plain = { username: undefined, password: undefined, isEncrypted: false, port: 6379, db: 0 }
  it.each([
    ['redis://cache', { ...plain, host: 'cache', name: 'redis://cache:6379' }],
    ['redis://[::1]:7000/3', { ...plain, host: '::1', port: 7000, db: 3, name: 'redis://[::1]:7000/3' }],
    [
      'rediss://some%40body:pass%2Fword@cache.example.com',
      {
        ...plain,
        host: 'cache.example.com',
        username: 'some@body',
        password: 'pass/word',
        isEncrypted: true,
        name: 'rediss://cache.example.com:6379',
      },
    ],
    ['redis://:word@cache', { ...plain, host: 'cache', password: 'word', name: 'redis://cache:6379' }],
  ])('%s is read', (text, address) => {
    expect(readRedisUrl(text)).toEqual(address)
  })

  it.each(['', 'cache:6379', 'http://cache', 'redis://', 'redis://cache/name', 'redis://cache?db=1'])(
    '%j is refused',
    (text) => {
      expect(() => readRedisUrl(text)).toThrow(/^(must be|may end with)/)
    },
  )
})

describe('the address of a bucket', () => {
  const known = {
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
        ...known,
        url: 'https://s3.us-east-1.amazonaws.com/previews',
        name: 's3://previews at s3.us-east-1.amazonaws.com',
      },
    ],
    [
      's3://previews/a/b/?region=eu-central-1',
      { ...KEYS, AWS_REGION: 'us-west-2', AWS_SESSION_TOKEN: 'token' },
      {
        ...known,
        url: 'https://s3.eu-central-1.amazonaws.com/previews',
        region: 'eu-central-1',
        prefix: 'a/b/',
        sessionToken: 'token',
        name: 's3://previews/a/b at s3.eu-central-1.amazonaws.com',
      },
    ],
    [
      's3://own:se%2Fcret@previews?endpoint=http://minio:9000/',
      KEYS,
      {
        ...known,
        accessKeyId: 'own',
        secretAccessKey: 'se/cret',
        url: 'http://minio:9000/previews',
        name: 's3://previews at minio:9000',
      },
    ],
    [
      's3://previews',
      { ...KEYS, AWS_DEFAULT_REGION: 'auto', AWS_ENDPOINT_URL_S3: 'https://r2.example.com' },
      { ...known, region: 'auto', url: 'https://r2.example.com/previews', name: 's3://previews at r2.example.com' },
    ],
  ])('%s is read', (text, env, address) => {
    expect(readBucketUrl(text, env)).toEqual(address)
  })

  it.each([
    ['previews', KEYS, /^must be an address like/],
    ['https://previews', KEYS, /^must be an address like/],
    ['s3://', KEYS, /^must be an address like/],
    ['s3://previews?regoin=x', KEYS, /^has the parameter "regoin"/],
    ['s3://previews?endpoint=minio:9000', KEYS, /^needs an absolute/],
    ['s3://previews', {}, /^needs AWS_ACCESS_KEY_ID/],
    ['s3://key@previews', {}, /^needs AWS_ACCESS_KEY_ID/],
  ])('%j is refused', (text, env, reason) => {
    expect(() => readBucketUrl(text, env)).toThrow(reason)
  })
})
