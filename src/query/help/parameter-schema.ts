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
      return 'subKey' in field
        ? { type: 'object', additionalProperties: { type: 'boolean' }, propertyNames: segmentOf(name) }
        : { type: 'boolean', ...defaultValue }
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
      return {
        anyOf: [
          ...(field.default === false ? [{ const: false }] : []),
          { type: 'integer', minimum: field.min, maximum: field.max },
          text,
        ],
        ...defaultValue,
      }
    case 'embed':
      return { anyOf: [{ type: 'boolean' }, text], ...defaultValue }
    case 'url':
      return { ...text, format: 'uri' }
    default:
      if (field.type === 'text' && 'subKey' in field)
        return { anyOf: [text, { type: 'array', items: text, maxItems: queryLimits.parameters }] }
      return { ...text, ...('pattern' in field && { pattern: field.pattern.source }), ...defaultValue }
  }
}

/** A segment after the name of the parameter, which is part of its written name. */
const segmentOf = (name: ParameterName): Schema => ({ maxLength: queryLimits.nameChars - `${name}.`.length })
