/** Where a bucket is, and how to get in. */
export interface BucketAddress {
  /** Of the bucket itself, without slash at the end. */
  url: string
  /** What the name of every object starts with: nothing, or a folder with its slash. */
  prefix: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | undefined
  /** For people: the address without what is secret. */
  name: string
}

const PARAMETERS = ['region', 'endpoint']

/**
 * Reads `s3://[key:secret@]bucket[/prefix][?region=…&endpoint=…]`. The bucket is a part of the path, as every server
 * understands it.
 *
 * @param env  The usual variables of AWS, for what the address leaves open: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
 *   `AWS_SESSION_TOKEN`, `AWS_REGION`, `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`.
 * @throws     {Error} with what is wrong, without what is secret in it.
 */
export function readBucketUrl(text: string, env: Readonly<Record<string, string | undefined>>): BucketAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 's3:' || !/^[a-z\d][\w.-]{1,61}[a-z\d]$/i.test(url.hostname) || url.port)
    throw new Error('must be an address like s3://bucket/folder?region=eu-central-1')
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown) throw new Error(`has the parameter "${unknown}", which means nothing; ${PARAMETERS.join(' and ')} do`)

  const told = (name: string) => url.searchParams.get(name) || undefined
  const region = told('region') ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1')
  const ownEndpoint = told('endpoint') ?? (env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || undefined)
  const endpoint = ownEndpoint ?? `https://s3.${region}.amazonaws.com`
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new Error('needs an absolute http(s) address as endpoint')
  const folder = url.pathname.replace(/^\/+|\/+$/g, '')
  return {
    url: `${endpoint.replace(/\/+$/, '')}/${url.hostname}`,
    prefix: folder && `${folder}/`,
    region,
    ...readCredentials(url, env),
    name: `s3://${url.hostname}${folder && `/${folder}`} at ${new URL(endpoint).host}`,
  }
}

function readCredentials({ username, password }: URL, env: Readonly<Record<string, string | undefined>>) {
  if (username && password)
    return {
      accessKeyId: decodeURIComponent(username),
      secretAccessKey: decodeURIComponent(password),
      sessionToken: undefined,
    }
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = env
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, sessionToken: token || undefined }
  throw new Error('needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or key:secret@ in front of the bucket')
}
