import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/**
 * Whether the owner of a secret signed this request, by version 4 of Amazon's signatures, which s3rver takes unread.
 *
 * @see  https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function isSigned({ method, url, headers }: IncomingMessage, secret: string): boolean {
  const found = /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/.exec(
    headers.authorization ?? '',
  )
  if (!found || !headers['x-amz-content-sha256']) return false
  const [scope, names, signature] = [found[1]!, found[2]!, found[3]!]
  const [path, query = ''] = url!.split('?')
  const signedHeaders = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const request = [method, path, query, signedHeaders.join(''), names, headers['x-amz-content-sha256']].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(request)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`)
  return hmac(key, text).toString('hex') === signature
}
