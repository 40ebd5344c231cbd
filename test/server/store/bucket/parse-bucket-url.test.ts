import { describe, expect, it } from 'vitest'
import { parseBucketUrl } from '../../../../src/server/store/index.js'

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
