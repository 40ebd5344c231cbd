import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../src/query/index.js'
import { argumentsSchema, queryOfArguments } from '../../../src/static/mcp/tool-arguments.js'
import { tools } from '../../../src/static/mcp/tools.js'

const screenshot = tools.find(({ name }) => name === 'screenshot')!
const validate = async (values: unknown) => argumentsSchema(screenshot.arguments)['~standard'].validate(values)
const messageOf = async (values: unknown) => (await validate(values)).issues?.map(({ message }) => message).join()
const jsonSchemaOf = (tool: (typeof tools)[number]) =>
  argumentsSchema(tool.arguments)['~standard'].jsonSchema.input({ target: 'draft-2020-12' })

describe('the schema of a tool', () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))('%s is small, and describes every argument', (_, tool) => {
    const schema = jsonSchemaOf(tool)
    expect(schema).toMatchObject({ type: 'object', required: ['url'], additionalProperties: false })
    const properties = Object.values(schema.properties as Record<string, { description?: string }>)
    for (const { description } of properties) expect(description).toMatch(/\.$/)
    expect(JSON.stringify(schema).length + tool.description.length).toBeLessThan(4_000)
  })

  it('has the values and bounds of the table of parameters', () => {
    expect(jsonSchemaOf(screenshot).properties).toMatchObject({
      colorScheme: { enum: ['light', 'dark', 'no-preference'] },
      fullPage: { type: 'boolean', default: false },
      scale: { type: 'number', minimum: 0.1, maximum: 5, default: 1 },
      device: { type: 'string', default: 'Macbook Pro 13' },
    })
  })
})

describe('arguments', () => {
  it('that are valid mean a query of the language', async () => {
    const values = { url: 'example.com/a', fullPage: true, scale: 2, element: ['h1', 'p'], tiles: true, firstTile: 4 }
    expect(await validate(values)).toEqual({ value: values })
    expect(parseQuery(queryOfArguments(screenshot.arguments, values)).query).toEqual({
      url: 'https://example.com/a',
      element: ['h1', 'p'],
      screenshot: { fullPage: true },
      viewport: { deviceScaleFactor: 2 },
    })
  })

  it.each<[unknown, RegExp]>([
    [{}, /url/],
    [{ url: 7 }, /url/],
    [{ url: 'https://example.com', fullpage: true }, /no argument "fullpage"; did you mean fullPage\?/],
    [{ url: 'https://example.com', full_page_screenshot: true }, /did you mean fullPage\?/],
    [{ url: 'https://example.com', scale: 9 }, /scale/],
    [{ url: 'https://example.com', firstTile: -1 }, /firstTile/],
    [{ url: 'https://example.com', colorScheme: 'pink' }, /colorScheme/],
    [{ url: `https://example.com/${'a'.repeat(9_000)}` }, /url/],
    [{ url: 'https://example.com', element: Array.from({ length: 300 }, () => 'a') }, /element/],
    [{ url: 'https://example.com', ['x'.repeat(100_000)]: 1 }, /no argument "x{80}"; did you mean/],
    [JSON.parse('{"url":"https://example.com","__proto__":{"a":1}}'), /no argument "__proto__"/],
  ])('%j are refused, naming the argument', async (values, message) => {
    expect(await messageOf(values)).toMatch(message)
  })
})
