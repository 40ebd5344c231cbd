import { fromJsonSchema, type JsonSchemaType, type StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { nearestName, parameterHelp, parameterSchema, queryLimits } from '../../query/help/index.js'
import type { ParameterName } from '../../query/index.js'
import { completeUrl } from '../../query/written-url.js'

/** The arguments of a tool: parameters of the query language, by the names that the tool has for them, and its own. */
export interface ToolArguments {
  parameters: Readonly<Record<string, ParameterName>>
  /** The JSON schema of each other argument, and of those that the tool describes in another way. */
  own: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Values by the name of their argument; each is valid for its schema. */
export type ArgumentValues = Readonly<Record<string, unknown>>

/** The schema of the arguments, which refuses every other one and names the one that was probably meant. */
export function argumentsSchema({ parameters, own }: ToolArguments): StandardSchemaWithJSON<unknown, ArgumentValues> {
  const ofParameters = Object.entries(parameters).map(([argument, name]) => [
    argument,
    { description: parameterHelp[name], ...parameterSchema(name), ...own[argument] },
  ])
  // A URL that is typed without its scheme is completed.
  const url = { type: 'string', maxLength: queryLimits.valueChars, description: parameterHelp.url }
  const properties = { ...own, ...Object.fromEntries(ofParameters), url } as Record<string, unknown>
  const schema = { type: 'object', properties, required: ['url'], additionalProperties: false }
  const strict = fromJsonSchema<ArgumentValues>(schema as JsonSchemaType)['~standard']
  const names = Object.keys(properties)
  return {
    '~standard': {
      ...strict,
      validate(value) {
        const unknown = Object.keys(value ?? {}).find((name) => !names.includes(name))
        if (unknown === undefined) return strict.validate(value)
        const nearest = nearestName(unknown, names)!
        return { issues: [{ message: `there is no argument "${unknown.slice(0, 80)}"; did you mean ${nearest}?` }] }
      },
    },
  }
}

/** The query that the arguments mean, without the tool's own ones. */
export function queryOfArguments({ parameters }: ToolArguments, values: ArgumentValues): Record<string, unknown> {
  const written = Object.entries(parameters).filter(([argument]) => values[argument] !== undefined)
  const query = Object.fromEntries(written.map(([argument, name]) => [name, values[argument]]))
  return { ...query, url: completeUrl(String(values.url)) }
}
