import { variantTypes } from '../../media/index.js'
import { pageStates } from '../../results/index.js'
import { serviceErrorCodes } from './error-response-schemas.js'
import { nullable, type Schema } from './schema.js'

const TEXT = nullable('string')
const MEDIA: Schema = { $ref: '#/components/schemas/Media' }

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
  type: ['object', 'null'],
  required: ['url', 'width', 'height', 'type', 'size', 'size_pretty', 'background_color'],
  properties: {
    url: { type: 'string', format: 'uri' },
    width: { type: 'integer' },
    height: { type: 'integer' },
    type: { enum: [...variantTypes] },
    size: { type: 'integer', description: 'bytes' },
    size_pretty: { type: 'string' },
    background_color: { type: 'string' },
    palette: { type: 'array', items: { type: 'string' } },
  },
}

const data: Schema = {
  type: 'object',
  properties: {
    title: TEXT,
    description: TEXT,
    lang: TEXT,
    author: TEXT,
    publisher: TEXT,
    date: TEXT,
    url: TEXT,
    image: MEDIA,
    logo: MEDIA,
    audio: MEDIA,
    video: MEDIA,
    screenshot: { $ref: '#/components/schemas/Screenshot' },
    state: { enum: pageStates, description: 'what the page showed instead of its content; screenshot is null then' },
  },
}

const redirect: Schema = {
  type: 'object',
  properties: { statusCode: { type: 'integer' }, url: { type: 'string', format: 'uri' } },
}

const page: Schema = {
  type: 'object',
  required: ['status', 'data', 'statusCode', 'headers', 'redirects'],
  properties: {
    status: { const: 'success' },
    data,
    statusCode: { type: 'integer' },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    redirects: { type: 'array', items: redirect },
    warnings: { type: 'array', items: { type: 'string' } },
  },
}

const error: Schema = {
  type: 'object',
  required: ['status', 'code', 'message', 'more', 'data'],
  properties: {
    status: { enum: ['fail', 'error'] },
    code: { enum: serviceErrorCodes },
    message: { type: 'string' },
    more: { type: 'string', format: 'uri' },
    data: { type: 'object', additionalProperties: { type: 'string' } },
  },
}

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

/** The named schemas, as the target of `$ref`. */
export const componentSchemas: Record<string, Schema> = {
  Page: page,
  Error: error,
  Media: media,
  Screenshot: screenshot,
  Oembed: oembed,
}
