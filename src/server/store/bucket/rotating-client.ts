import { AwsClient } from 'aws4fetch'
import type { BucketCredentials } from './parse-bucket-url.js'

/** S3 responds with 400 to a token that has expired, and 403 to a key that it does not know. */
const REFUSED = [400, 401, 403]

/**
 * Signs requests, and reads the credentials again when they are refused: where they have changed, the request is repeated
 * once with the new ones.
 *
 * @param read  Called at once, where its errors are thrown, and again after each refusal, where they are ignored.
 */
export function createRotatingClient(read: () => BucketCredentials, region: string): Pick<AwsClient, 'fetch'> {
  let credentials = read()
  let client = clientOf(credentials, region)

  const hasNewCredentials = () => {
    const latest = readIfPossible(read) ?? credentials
    if (isEqual(latest, credentials)) return false
    credentials = latest
    client = clientOf(credentials, region)
    return true
  }

  return {
    async fetch(input, init) {
      const used = client
      const response = await used.fetch(input, init)
      if (!REFUSED.includes(response.status)) return response
      // Another request may have found the new ones in the meantime.
      const hasChanged = client !== used || hasNewCredentials()
      return hasChanged ? client.fetch(input, init) : response
    },
  }
}

const clientOf = ({ accessKeyId, secretAccessKey, sessionToken }: BucketCredentials, region: string) =>
  new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
    region,
    service: 's3',
    retries: 0,
  })

const isEqual = (one: BucketCredentials, other: BucketCredentials) =>
  one.accessKeyId === other.accessKeyId &&
  one.secretAccessKey === other.secretAccessKey &&
  one.sessionToken === other.sessionToken

function readIfPossible(read: () => BucketCredentials): BucketCredentials | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
