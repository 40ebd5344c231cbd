import { imageWidths } from '../../../card/index.js'
import { ALLOW_HOSTS_HEADER, MAX_HOST_LIST_CHARS, queryLimits } from '../../../query/help/index.js'
import { fields, type ParameterName } from '../../../query/index.js'
import { variantTypes } from '../../media/index.js'
import { componentSchemas } from './component-schemas.js'
import { errorResponseSchema, errorResponseSchemas } from './error-response-schemas.js'
import { parameterObject } from './parameter-object.js'
import type { Schema } from './schema.js'

/**
 * The OpenAPI 3.1 document of the service, built from the tables of parameters and of error codes.
 *
 * @param base  URL of the host that it describes, without trailing slash.
 */
export function openapiDocument(base: string, version: string): Schema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Page Preview',
      version,
      description: `Metadata and real screenshots of web pages. ${limits}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base }],
    security: [{}, { apiKey: [] }],
    paths: {
      '/': pagePath(),
      '/images/{name}': imagePath(),
      '/oembed': oembedPath(),
      '/healthz': operationalPath('isAlive', 'Whether the service is running', { 200: stateResponse }),
      '/readyz': operationalPath(
        'isReady',
        'Whether this instance can serve requests, and the state of what it depends on',
        {
          200: stateResponse,
          503: stateResponse,
        },
      ),
      '/metrics': operationalPath('readMetrics', 'Metrics for Prometheus', {
        200: { description: 'Text format of Prometheus', content: { 'text/plain': {} } },
      }),
    },
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      schemas: componentSchemas,
    },
  }
}

const limits = `A query has at most ${queryLimits.parameters} parameters, with names of at most ${queryLimits.nameChars} characters and values of at most ${queryLimits.valueChars} characters.`

const allowHostsHeader: Schema = {
  name: ALLOW_HOSTS_HEADER,
  in: 'header',
  description:
    'Restricts the request to these hosts, separated by commas: the page, its redirects and navigations, overlay.background and styles.',
  schema: { type: 'string', maxLength: MAX_HOST_LIST_CHARS },
}

const pagePath = (): Schema => ({
  get: {
    operationId: 'previewPage',
    summary: 'Preview a page',
    parameters: [...(Object.keys(fields) as ParameterName[]).map(parameterObject), allowHostsHeader],
    responses: { 200: pageResponse, 304: notModified, ...errorResponseSchemas() },
  },
})

const imagePath = (): Schema => ({
  get: {
    operationId: 'readImage',
    summary: 'Read a stored image, or a variant of it',
    parameters: [
      {
        name: 'name',
        in: 'path',
        required: true,
        schema: { type: 'string', pattern: `^[a-f0-9]{64}\\.(${variantTypes.join('|')})$` },
      },
      {
        name: 'w',
        in: 'query',
        description: 'Width in pixels; images are never enlarged.',
        schema: { type: 'integer', enum: [...imageWidths] },
      },
      { name: 'type', in: 'query', description: 'File type.', schema: { type: 'string', enum: [...variantTypes] } },
    ],
    responses: {
      200: { description: 'The image', content: { 'image/*': {} } },
      304: notModified,
      400: errorResponseSchema('EINVALQUERY'),
      404: errorResponseSchema('ENOTFOUND'),
    },
  },
})

const oembedPath = (): Schema => ({
  get: {
    operationId: 'oembed',
    summary: 'Preview a page as oEmbed',
    parameters: [
      {
        name: 'url',
        in: 'query',
        description: 'URL of a preview of this service, or of a page.',
        required: true,
        schema: { type: 'string', format: 'uri' },
      },
      { name: 'maxwidth', in: 'query', description: 'Pixels.', schema: { type: 'integer', minimum: 1 } },
      { name: 'maxheight', in: 'query', description: 'Pixels.', schema: { type: 'integer', minimum: 1 } },
      { name: 'format', in: 'query', schema: { type: 'string', enum: ['json'] } },
    ],
    responses: {
      200: {
        description: 'oEmbed 1.0, type photo',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Oembed' } } },
      },
      ...errorResponseSchemas(),
    },
  },
})

const operationalPath = (operationId: string, summary: string, responses: Record<string, Schema>): Schema => ({
  get: { operationId, summary, security: [], responses },
})

const pageResponse: Schema = {
  description: 'The page; with embed, one field of it',
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Page' } },
    'image/*': {},
    'text/plain': {},
    'text/html': {},
  },
}

const notModified: Schema = { description: 'if-none-match contains the current etag' }

const stateResponse: Schema = {
  description: 'The state of the service',
  content: {
    'application/json': {
      schema: { type: 'object', required: ['status'], properties: { status: { enum: ['ok', 'ready', 'not ready'] } } },
    },
  },
}
