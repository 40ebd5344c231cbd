// Covers read-body of src/playground/read-response.ts.
import { expect, it } from 'vitest'
import { readBody } from '../../src/playground/read-response.js'

it('reads results, errors and any other text', () => {
  const screenshot = { width: 2, height: 1 }
  const redirects = [{ statusCode: 301, url: 'https://a.example/' }]
  expect(readBody(JSON.stringify({ data: { screenshot }, redirects, warnings: ['w'] }))).toMatchObject({
    code: undefined,
    reasons: [],
    redirects,
    warnings: ['w'],
    imageSize: screenshot,
  })
  expect(readBody('{"code":"EELEMENT","message":"m","data":{"element":"missing"}}')).toMatchObject({
    code: 'EELEMENT',
    message: 'm',
    reasons: [['element', 'missing']],
  })
  expect(readBody('{"data":{"screenshot":null,"state":"blank"}}')).toMatchObject({
    state: 'blank',
    imageSize: undefined,
  })
  expect(readBody('<p>proxy</p>')).toMatchObject({ text: '<p>proxy</p>', code: undefined, redirects: [] })
  expect(readBody('[null]').text).toBe('[\n  null\n]')
})
