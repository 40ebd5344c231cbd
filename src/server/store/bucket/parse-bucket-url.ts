import { readSecret } from '../../secrets/index.js'

/** What signs requests. */
export interface BucketCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | undefined
}

/** How to access a bucket. */
export interface BucketConfig extends BucketCredentials {
  /** URL of the bucket itself, without trailing slash. */
  url: string
  /** Prefix of every object's name: empty, or a folder with its trailing slash. */
  prefix: string
  region: string
  /** For messages: the URL without secrets. */
  displayUrl: string
}

type Environment = Readonly<Record<string, string | undefined>>

const PARAMETERS = ['region', 'endpoint']

/**
 * Parses `s3://[key:secret@]bucket[/prefix][?region=…&endpoint=…]`. Requests name the bucket in the path, which every S3
 * server supports.
 *
 * @param env  The standard variables of AWS, for what the URL leaves open: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
 *   `AWS_SESSION_TOKEN`, `AWS_REGION`, `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`; the first three also with `_FILE`.
 * @throws     {Error} whose message continues a sentence about the option, and contains no secret.
 */
export function parseBucketUrl(text: string, env: Environment): BucketConfig {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 's3:' || !/^[a-z\d][\w.-]{1,61}[a-z\d]$/i.test(url.hostname) || url.port)
    throw new Error('must be a URL like s3://bucket/folder?region=eu-central-1')
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown) throw new Error(`has the unknown parameter "${unknown}"; supported are ${PARAMETERS.join(' and ')}`)

  const region = url.searchParams.get('region') || env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1'
  const endpoint = readEndpoint(url, env) ?? `https://s3.${region}.amazonaws.com`
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new Error('needs an absolute http(s) URL as endpoint')
  const folder = url.pathname.replace(/^\/+|(?<!\/)\/+$/g, '')
  return {
    url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/${url.hostname}`,
    prefix: folder && `${folder}/`,
    region,
    ...readCredentials(url, env),
    displayUrl: `s3://${url.hostname}${folder && `/${folder}`} at ${new URL(endpoint).host}`,
  }
}

const readEndpoint = ({ searchParams }: URL, env: Environment): string | undefined =>
  searchParams.get('endpoint') || env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || undefined

function readCredentials({ username, password }: URL, env: Environment): BucketCredentials {
  if (username && password)
    return {
      accessKeyId: decodeURIComponent(username),
      secretAccessKey: decodeURIComponent(password),
      sessionToken: undefined,
    }
  const accessKeyId = readCredential('AWS_ACCESS_KEY_ID', env)
  const secretAccessKey = readCredential('AWS_SECRET_ACCESS_KEY', env)
  const sessionToken = readCredential('AWS_SESSION_TOKEN', env)
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, sessionToken }
  throw new Error('needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or key:secret@ before the bucket')
}

function readCredential(variable: string, env: Environment): string | undefined {
  try {
    return readSecret(variable, env)
  } catch (cause) {
    throw new Error(`needs credentials: ${(cause as Error).message}`, { cause })
  }
}
