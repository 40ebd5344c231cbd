import { errorHelp, parameterHelp } from '../../query/help/index.js'
import { errorCodes, fields, type ErrorCode, type ParameterName } from '../../query/index.js'

type Schema = Record<string, unknown>

const MEDIA: Schema = { $ref: '#/components/schemas/Media' }
const nullable = (type: string, more: Schema = {}): Schema => ({ type: [type, 'null'], ...more })

/**
 * The OpenAPI 3.1 document of the service, made from the table of words and the table of errors.
 *
 * @param base  Address of the host it describes, without slash at the end.
 */
export function openapi(base: string, version: string): Schema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Page Preview',
      version,
      description: 'Metadata and real screenshots of web pages.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base }],
    security: [{}, { apiKey: [] }],
    paths: {
      '/': {
        get: {
          operationId: 'previewPage',
          summary: 'Preview a page',
          parameters: (Object.keys(fields) as ParameterName[]).map(parameterOf),
          responses: { 200: success, 304: unchanged, ...failures() },
        },
      },
      '/images/{name}': {
        get: {
          operationId: 'readImage',
          summary: 'A kept picture, or a smaller variant of it',
          parameters: [
            {
              name: 'name',
              in: 'path',
              required: true,
              schema: { type: 'string', pattern: '^[a-f0-9]{64}\\.(jpg|png|webp|avif)$' },
            },
            { name: 'w', in: 'query', schema: { type: 'integer', enum: [320, 640, 960, 1280, 1920] } },
            { name: 'type', in: 'query', schema: { type: 'string', enum: ['jpg', 'png', 'webp', 'avif'] } },
          ],
          responses: {
            200: { description: 'The picture', content: { 'image/*': {} } },
            304: unchanged,
            400: failure('EINVALQUERY'),
            404: failure('ENOTFOUND'),
          },
        },
      },
      '/oembed': {
        get: {
          operationId: 'oembed',
          summary: 'A preview as oEmbed',
          parameters: [
            { name: 'url', in: 'query', required: true, schema: { type: 'string', format: 'uri' } },
            { name: 'maxwidth', in: 'query', schema: { type: 'integer', minimum: 1 } },
            { name: 'maxheight', in: 'query', schema: { type: 'integer', minimum: 1 } },
            { name: 'format', in: 'query', schema: { type: 'string', enum: ['json'] } },
          ],
          responses: {
            200: {
              description: 'oEmbed 1.0, type photo',
              content: { 'application/json': { schema: oembed } },
            },
            ...failures(),
          },
        },
      },
      '/healthz': machinePath('isAlive', 'Whether the service runs', { 200: state }),
      '/readyz': machinePath('isReady', 'Whether the service can work: browser and store', { 200: state, 503: state }),
      '/metrics': machinePath('readMetrics', 'How the service does, for Prometheus', {
        200: { description: 'Prometheus text', content: { 'text/plain': {} } },
      }),
    },
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      schemas: { Answer: answer, Failure: failureSchema, Media: media, Screenshot: screenshot },
    },
  }
}

function parameterOf(word: ParameterName): Schema {
  const description = parameterHelp[word]
  const isOpen = word === 'headers' || word === 'ping' || word === 'meta'
  const schema = schemaOf(word)
  // `ping` is a boolean and an object of booleans; the object is written with dotted names of one's own.
  return isOpen
    ? { name: word, in: 'query', description, style: 'deepObject', schema: { anyOf: [{ type: 'boolean' }, schema] } }
    : { name: word, in: 'query', description, required: word === 'url', schema }
}

function schemaOf(word: ParameterName): Schema {
  const field = fields[word]
  const more = field.default === undefined ? {} : { default: field.default }
  switch (field.type) {
    case 'boolean':
      return { type: 'boolean', ...more }
    case 'switches':
      return { type: 'object', additionalProperties: { type: 'boolean' } }
    case 'safe header':
      return { type: 'object', additionalProperties: { type: 'string' } }
    case 'choice':
      return { type: 'string', enum: [...field.values], ...more }
    case 'integer':
    case 'number':
      return { type: field.type, minimum: field.min, maximum: field.max, ...more }
    case 'duration':
      return {
        anyOf: [
          ...('values' in field ? field.values.map((value) => ({ const: value })) : []),
          { type: 'integer', minimum: field.min, maximum: field.max },
          { type: 'string' },
        ],
        ...more,
      }
    case 'list':
      return { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }
    case 'embed':
      return { anyOf: [{ type: 'boolean' }, { type: 'string' }], ...more }
    case 'http(s) url':
      return { type: 'string', format: 'uri', maxLength: 8_192 }
    default:
      return { type: 'string', ...more }
  }
}

function failures(): Record<string, Schema> {
  const codes = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => errorCodes[code] > 0)
  return Object.fromEntries(
    [...new Set([...codes.map((code) => errorCodes[code]), 403])].map((status) => [
      status,
      failure(...codes.filter((code) => errorCodes[code] === status || (code === 'EAUTH' && status === 403))),
    ]),
  )
}

const failure = (...codes: ErrorCode[]): Schema => ({
  description: codes.map((code) => `${code}: ${errorHelp[code]}`).join(' '),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
})

const success: Schema = {
  description: 'The page, or with embed one field of it',
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Answer' } },
    'image/*': {},
    'text/plain': {},
    'text/html': {},
  },
}

const unchanged: Schema = { description: 'What if-none-match names is what there is' }

const state: Schema = {
  description: 'The state of the service',
  content: {
    'application/json': {
      schema: { type: 'object', required: ['status'], properties: { status: { enum: ['ok', 'ready', 'not ready'] } } },
    },
  },
}

const machinePath = (operationId: string, summary: string, responses: Record<string, Schema>): Schema => ({
  get: { operationId, summary, security: [], responses },
})

const oembed: Schema = {
  type: 'object',
  required: ['version', 'type', 'url', 'width', 'height'],
  properties: {
    version: { const: '1.0' },
    type: { const: 'photo' },
    url: { type: 'string', format: 'uri' },
    width: { type: 'integer' },
    height: { type: 'integer' },
    title: { type: 'string' },
    author_name: { type: 'string' },
    author_url: { type: 'string', format: 'uri' },
    provider_name: { type: 'string' },
    provider_url: { type: 'string', format: 'uri' },
    cache_age: { type: 'integer', description: 'seconds' },
  },
}

const failureSchema: Schema = {
  type: 'object',
  required: ['status', 'code', 'message', 'more', 'data'],
  properties: {
    status: { enum: ['fail', 'error'] },
    code: { enum: (Object.keys(errorCodes) as ErrorCode[]).filter((code) => errorCodes[code] > 0) },
    message: { type: 'string' },
    more: { type: 'string', format: 'uri' },
    data: { type: 'object', additionalProperties: { type: 'string' } },
  },
}

const media: Schema = {
  type: ['object', 'null'],
  required: ['url'],
  properties: {
    url: { type: 'string', format: 'uri' },
    type: nullable('string'),
    size: nullable('integer', { description: 'bytes' }),
    size_pretty: nullable('string'),
    width: nullable('integer'),
    height: nullable('integer'),
    duration: nullable('number', { description: 'seconds' }),
    duration_pretty: nullable('string'),
    palette: { type: 'array', items: { type: 'string' } },
  },
}

const screenshot: Schema = {
  type: 'object',
  required: ['url', 'width', 'height', 'type', 'size', 'size_pretty', 'background_color'],
  properties: {
    url: { type: 'string', format: 'uri' },
    width: { type: 'integer' },
    height: { type: 'integer' },
    type: { enum: ['jpg', 'png', 'webp', 'avif'] },
    size: { type: 'integer', description: 'bytes' },
    size_pretty: { type: 'string' },
    background_color: { type: 'string' },
    palette: { type: 'array', items: { type: 'string' } },
  },
}

const text = nullable('string')
const answer: Schema = {
  type: 'object',
  required: ['status', 'data', 'statusCode', 'headers', 'redirects'],
  properties: {
    status: { const: 'success' },
    data: {
      type: 'object',
      properties: {
        title: text,
        description: text,
        lang: text,
        author: text,
        publisher: text,
        date: text,
        url: text,
        image: MEDIA,
        logo: MEDIA,
        audio: MEDIA,
        video: MEDIA,
        screenshot: { $ref: '#/components/schemas/Screenshot' },
      },
    },
    statusCode: { type: 'integer' },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    redirects: {
      type: 'array',
      items: {
        type: 'object',
        properties: { statusCode: { type: 'integer' }, url: { type: 'string', format: 'uri' } },
      },
    },
    warnings: { type: 'array', items: { type: 'string' } },
  },
}
