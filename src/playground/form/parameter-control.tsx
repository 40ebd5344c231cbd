import type { ReactNode } from 'react'
import { fields, type ParameterName } from '../../query/index.js'
import { durationValue } from '../format-duration.js'
import { defaultText, isFieldOn, setField, type SwitchGroup } from '../state/form-values.js'
import type { FormHandle } from '../state/use-playground-form.js'
import { controlId } from './control-id.js'
import { describedBy } from './field-error.js'
import { META_FIELDS, PING_FIELDS } from './parameter-groups.js'
import { Switch } from './switch.js'

interface ParameterControlProps {
  form: FormHandle
  name: ParameterName
}

/** The control that fits the type of a parameter. */
export function ParameterControl({ form, name }: ParameterControlProps): ReactNode {
  const field = fields[name]
  switch (field.type) {
    case 'boolean':
      if (field.default !== undefined) return <Switch form={form} name={name} hasHint />
      return <Select form={form} name={name} options={['true', 'false']} />
    case 'choice':
      return <Select form={form} name={name} options={'values' in field ? field.values : []} />
    case 'switches':
      return <FieldCheckboxes form={form} group={name === 'ping' ? name : 'meta'} />
    case 'list':
    case 'header':
      return <TextArea form={form} name={name} />
    default:
      return <TextInput form={form} name={name} />
  }
}

function Select({ form, name, options }: ParameterControlProps & { options: readonly (string | number)[] }): ReactNode {
  const defaultOption = defaultText(name)
  return (
    <select
      id={controlId(name)}
      className="wide"
      value={form.values[name] ?? defaultOption}
      onChange={({ target }) => form.setValue(name, target.value)}
      {...describedBy({ form, name, hasHint: true })}
    >
      {defaultOption === '' && <option value="">not set</option>}
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  )
}

function FieldCheckboxes({ form, group }: { form: FormHandle; group: SwitchGroup }): ReactNode {
  const allFields = group === 'ping' ? PING_FIELDS : META_FIELDS
  const toggle = (field: string, isOn: boolean) =>
    form.replaceValues(setField(form.values, group, { field, isOn, allFields }))
  return (
    <div className="checkboxes wide" role="group" aria-label={group} aria-describedby={`${controlId(group)}-hint`}>
      {allFields.map((field) => (
        <label key={field}>
          <input
            type="checkbox"
            checked={isFieldOn(form.values, group, field)}
            onChange={({ target }) => toggle(field, target.checked)}
          />
          {field}
        </label>
      ))}
    </div>
  )
}

function TextArea({ form, name }: ParameterControlProps): ReactNode {
  return (
    <textarea
      id={controlId(name)}
      className="mono wide"
      rows={2}
      autoCapitalize="none"
      spellCheck={false}
      placeholder={name === 'headers' ? 'accept-language: de' : 'one per line'}
      value={form.values[name] ?? ''}
      onChange={({ target }) => form.setValue(name, target.value)}
      {...describedBy({ form, name, hasHint: true })}
    />
  )
}

function TextInput({ form, name }: ParameterControlProps): ReactNode {
  const { type, default: defaultValue } = fields[name]
  const isNumber = type === 'integer' || type === 'number'
  const isDuration = type === 'duration' && typeof defaultValue === 'number'
  return (
    <input
      id={controlId(name)}
      className="mono wide"
      type="text"
      inputMode={isNumber ? 'decimal' : undefined}
      autoCapitalize="none"
      spellCheck={false}
      placeholder={isDuration ? durationValue(defaultValue) : defaultText(name)}
      value={form.values[name] ?? ''}
      onChange={({ target }) => form.setValue(name, target.value)}
      {...describedBy({ form, name, hasHint: true })}
    />
  )
}
