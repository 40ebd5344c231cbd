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

it('reads candidates and explanations of any form without failing', () => {
  expect(
    readBody('{"candidates":{"title":[{"id":"0000000a","value":"A","source":"title"}],"image":7}}').choices,
  ).toEqual({
    title: [
      {
        id: '0000000a',
        value: 'A',
        source: 'title',
        isSelected: false,
        problem: undefined,
        notes: [],
        size: undefined,
      },
    ],
    description: [],
    image: [],
  })
  expect(readBody('{}').choices).toBeUndefined()
  for (const explanation of ['"x"', '[]', '{"fields":[1],"requests":{},"layers":[null],"blocked":3}', 'null'])
    expect(() => readBody(`{"explanation":${explanation}}`)).not.toThrow()
})

it('reads a history of any form without failing', () => {
  const empty = { x: 0, y: 0, width: 0, height: 0 }
  const body = '{"data":{"history":{"versions":[{"since":"a","changes":[{"kind":"x","x":2}]},7],"ignored":[1]}}}'
  const version = {
    title: null,
    area: empty,
    screenshot: { url: 'undefined', width: 0, height: 0 },
    until: 'undefined',
  }
  const change = { kind: 'changed', element: 'undefined', text: null, textBefore: null, ...empty, x: 2 }
  expect(readBody(body).history).toEqual({
    versions: [
      { ...version, since: 'a', changes: [change] },
      { ...version, since: 'undefined', changes: [] },
    ],
    ignored: ['1'],
  })
  expect(readBody('{"data":{}}').history).toBeUndefined()
  expect(readBody('{"code":"EAUTH","data":{"history":"needs a key"}}').history).toBeUndefined()
  for (const history of ['null', '"x"', '[]', '{"versions":{}}'])
    expect(readBody(`{"data":{"history":${history}}}`).history).toBeNull()
})
