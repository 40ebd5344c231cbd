import { fields, type ParameterName } from '../index.js'
import { queryLimits } from './parameter-help.js'

type Schema = Record<string, unknown>

const text: Schema = { type: 'string', maxLength: queryLimits.valueChars }

/** The JSON schema of the values of a parameter: for the OpenAPI document, and for the tools of `page-preview-server mcp`. */
export function parameterSchema(name: ParameterName): Schema {
  const field = fields[name]
  const defaultValue = field.default === undefined ? {} : { default: field.default }
  switch (field.type) {
    case 'boolean':
      return { type: 'boolean', ...defaultValue }
    case 'switches':
      return { type: 'object', additionalProperties: { type: 'boolean' }, propertyNames: segmentOf(name) }
    case 'header':
      return { type: 'object', additionalProperties: text, propertyNames: segmentOf(name) }
    case 'choice':
      return {
        type: field.values.every(Number.isInteger) ? 'integer' : 'string',
        enum: [...field.values],
        ...defaultValue,
      }
    case 'integer':
    case 'number':
      return { type: field.type, minimum: field.min, maximum: field.max, ...defaultValue }
    case 'duration':
    case 'optional duration':
      return {
        anyOf: [
          ...(field.type === 'optional duration' ? [{ const: false }] : []),
          { type: 'integer', minimum: field.min, maximum: field.max },
          text,
        ],
        ...defaultValue,
      }
    case 'list':
      return { anyOf: [text, { type: 'array', items: text, maxItems: queryLimits.parameters }] }
    case 'embed':
      return { anyOf: [{ type: 'boolean' }, text], ...defaultValue }
    case 'url':
      return { ...text, format: 'uri' }
    default:
      return { ...text, ...('pattern' in field && { pattern: field.pattern.source }), ...defaultValue }
  }
}

/** A segment after the name of the parameter, which is part of its written name. */
const segmentOf = (name: ParameterName): Schema => ({ maxLength: queryLimits.nameChars - `${name}.`.length })
