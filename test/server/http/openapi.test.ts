import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { queryLimits } from '../../../src/query/help/index.js'
import { errorCodes, fields } from '../../../src/query/index.js'
import { openapiDocument } from '../../../src/server/http/openapi.js'

const document = openapiDocument('https://previews.example', '1.2.3')

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, and all references resolve', async () => {
    const validator = new Validator()
    const copy = structuredClone(document)
    expect(await validator.validate(copy)).toMatchObject({ valid: true })
    expect(validator.version).toBe('3.1')
    const resolved = JSON.stringify(validator.resolveRefs())
    expect(resolved).not.toContain('$ref')
  })

  it('describes the routes of jobs', () => {
    const paths = document.paths as Record<string, Record<string, { responses: object }>>
    const methods = Object.entries(paths).flatMap(([path, byMethod]) =>
      path.startsWith('/jobs') ? Object.keys(byMethod).map((method) => `${method} ${path}`) : [],
    )
    expect(methods).toEqual(['post /jobs', 'get /jobs/{id}', 'delete /jobs/{id}', 'get /jobs/{id}/results'])
    expect(Object.keys(paths['/jobs']!.post!.responses)).toEqual(expect.arrayContaining(['202', '400', '401', '429']))
  })

  it('describes the routes of site owners', () => {
    const paths = document.paths as Record<string, { post: { responses: object; security: unknown[] } }>
    for (const action of ['refresh', 'takedown']) {
      const { responses, security } = paths[`/owners/${action}`]!.post
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '202', '400', '403', '429', '502', '503']))
      expect(security).toEqual([])
    }
  })

  it('describes every query parameter', () => {
    const { parameters } = (document.paths as Record<string, { get: { parameters: Record<string, unknown>[] } }>)['/']!
      .get
    expect(parameters.map(({ name }) => name)).toEqual([...Object.keys(fields), 'x-page-preview-allow-hosts'])
    expect(parameters.filter(({ description }) => !description)).toEqual([])
  })

  it('states the limits of a query', () => {
    const info = document.info as { description: string }
    for (const name of ['parameters', 'nameChars', 'valueChars'] as const)
      expect(info.description).toContain(` ${queryLimits[name]} `)
  })

  it('limits the length of every text of a query', () => {
    const { parameters } = (document.paths as Record<string, { get: { parameters: object[] } }>)['/']!.get
    const texts: Record<string, unknown>[] = []
    JSON.stringify(parameters, (_, value: Record<string, unknown> | null) => {
      if (value?.type === 'string' && !value.enum) texts.push(value)
      return value
    })
    expect(texts.length).toBeGreaterThan(15)
    expect(texts.filter(({ maxLength }) => !(Number(maxLength) <= queryLimits.valueChars))).toEqual([])
  })

  it('describes the errors of an image, which may be a variant that is converted on request', () => {
    const { responses } = (
      document.paths as Record<string, { get: { responses: Record<number, { description: string }> } }>
    )['/images/{name}']!.get
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '304']))
    for (const code of ['EINVALQUERY', 'ENOTFOUND', 'ERATE', 'EBUSY', 'ETIMEOUT', 'ETOOLARGE', 'EFATAL'] as const)
      expect(responses[errorCodes[code]]?.description, code).toContain(`${code}: `)
    expect(JSON.stringify(responses)).not.toContain('EAUTH')
  })

  it('describes every error code of the service at its HTTP status', () => {
    const { responses } = (
      document.paths as Record<string, { get: { responses: Record<number, { description: string }> } }>
    )['/']!.get
    const serviceCodes = Object.entries(errorCodes).filter(([, status]) => status > 0)
    const missing = serviceCodes.filter(([code, status]) => !responses[status]?.description.includes(`${code}:`))
    expect(missing).toEqual([])
    const { properties } = (document.components as { schemas: Record<string, { properties: Record<string, unknown> }> })
      .schemas.Error!
    expect(properties.code).toEqual({ enum: serviceCodes.map(([code]) => code) })
  })
})
