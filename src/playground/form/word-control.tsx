import type { ReactNode } from 'react'
import { fields, type ParameterName } from '../../query/index.js'
import { defaultText, isFieldOn, setField } from '../state/form-words.js'
import { shortDuration } from '../format-time.js'
import { controlId, type FormHandle } from './form-handle.js'
import { META_FIELDS, PING_FIELDS } from './more-groups.js'
import { problemAttributes } from './problem.js'
import { Switch } from './switch.js'

interface WordControlProps {
  form: FormHandle
  word: ParameterName
}

/** A control for any word of the table, by its type. */
export function WordControl({ form, word }: WordControlProps): ReactNode {
  const field = fields[word]
  switch (field.type) {
    case 'boolean':
      if (field.default !== undefined) return <Switch form={form} name={word} hasHint />
      return <Choice form={form} word={word} values={['true', 'false']} />
    case 'choice':
      return <Choice form={form} word={word} values={'values' in field ? field.values : []} />
    case 'switches':
      return <FieldSwitches form={form} group={word === 'ping' ? word : 'meta'} />
    case 'list':
    case 'header':
      return <Lines form={form} word={word} />
    default:
      return <Line form={form} word={word} />
  }
}

function Choice({ form, word, values }: WordControlProps & { values: readonly string[] }): ReactNode {
  const fallback = defaultText(word)
  return (
    <select
      id={controlId(word)}
      className="wide"
      value={form.words[word] ?? fallback}
      onChange={({ target }) => form.set(word, target.value)}
      {...problemAttributes({ form, name: word, hasHint: true })}
    >
      {fallback === '' && <option value="">not set</option>}
      {values.map((value) => (
        <option key={value}>{value}</option>
      ))}
    </select>
  )
}

function FieldSwitches({ form, group }: { form: FormHandle; group: 'ping' | 'meta' }): ReactNode {
  const of = group === 'ping' ? PING_FIELDS : META_FIELDS
  return (
    <div className="chips wide" role="group" aria-label={group} aria-describedby={`${controlId(group)}-hint`}>
      {of.map((field) => (
        <label key={field}>
          <input
            type="checkbox"
            checked={isFieldOn(form.words, group, field)}
            onChange={({ target }) => form.change(setField(form.words, group, { field, isOn: target.checked, of }))}
          />
          {field}
        </label>
      ))}
    </div>
  )
}

function Lines({ form, word }: WordControlProps): ReactNode {
  return (
    <textarea
      id={controlId(word)}
      className="mono wide"
      rows={2}
      autoCapitalize="none"
      spellCheck={false}
      placeholder={word === 'headers' ? 'accept-language: de' : 'one per line'}
      value={form.words[word] ?? ''}
      onChange={({ target }) => form.set(word, target.value)}
      {...problemAttributes({ form, name: word, hasHint: true })}
    />
  )
}

function Line({ form, word }: WordControlProps): ReactNode {
  const { type, default: fallback } = fields[word]
  const isNumber = type === 'integer' || type === 'number'
  return (
    <input
      id={controlId(word)}
      className="mono wide"
      type="text"
      inputMode={isNumber ? 'decimal' : undefined}
      autoCapitalize="none"
      spellCheck={false}
      placeholder={type === 'duration' && typeof fallback === 'number' ? shortDuration(fallback) : defaultText(word)}
      value={form.words[word] ?? ''}
      onChange={({ target }) => form.set(word, target.value)}
      {...problemAttributes({ form, name: word, hasHint: true })}
    />
  )
}
