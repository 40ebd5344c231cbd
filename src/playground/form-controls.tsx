import { switchableFields } from '../query/help/index.js'
import { fields, type ParameterName } from '../query/index.js'
import { type ReactNode, useId } from 'react'
import { defaultText, isFieldOn, setField, type SwitchGroup } from './form-values.js'
import { durationValue } from './format-duration.js'
import type { FormHandle } from './use-playground-form.js'

interface ParameterControlProps {
  form: FormHandle
  name: ParameterName
}

/** The control that fits the type of a parameter. */
export function ParameterControl({ form, name }: ParameterControlProps): ReactNode {
  const field = fields[name]
  switch (field.type) {
    case 'boolean':
      if ('subKey' in field) return <FieldCheckboxes form={form} group={name === 'ping' ? name : 'meta'} />
      if (field.default !== undefined) return <Switch form={form} name={name} hasHint />
      return <Select form={form} name={name} options={['true', 'false']} />
    case 'choice':
      return <Select form={form} name={name} options={'values' in field ? field.values : []} />
    case 'header':
      return <TextArea form={form} name={name} />
    case 'text':
      return 'subKey' in field ? <TextArea form={form} name={name} /> : <TextInput form={form} name={name} />
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
  const allFields = switchableFields[group]
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

interface SegmentedControlProps<Value extends string | number> {
  label: string
  value: Value | undefined
  options: readonly (readonly [value: Value, content: ReactNode])[]
  onChange: (value: Value) => void
  className?: string
}

/** A radio group whose options are all visible, side by side. */
export function SegmentedControl<Value extends string | number>(props: SegmentedControlProps<Value>): ReactNode {
  const { label, value, options, onChange, className = '' } = props
  const name = useId()
  return (
    <div className={`segments ${className}`.trim()} role="radiogroup" aria-label={label}>
      {options.map(([option, content]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          {content}
        </label>
      ))}
    </div>
  )
}

interface SwitchProps {
  form: FormHandle
  name: string
  hasHint?: boolean
}

/** A switch for a boolean parameter with a default. */
export function Switch({ form, name, hasHint = false }: SwitchProps): ReactNode {
  return (
    <input
      id={controlId(name)}
      className="switch"
      type="checkbox"
      role="switch"
      checked={(form.values[name] ?? defaultText(name)) === 'true'}
      onChange={({ target }) => form.setValue(name, String(target.checked))}
      {...describedBy({ form, name, hasHint })}
    />
  )
}

/** The error message of a control. */
export function FieldError({ form, name }: { form: FormHandle; name: string }): ReactNode {
  const message = form.errorMessage(name)
  if (!message) return null
  return (
    <p className="field-error wide" id={`${controlId(name)}-error`}>
      {message}
    </p>
  )
}

/** The attributes that connect a control to its error message, and to its hint if it has one. */
export function describedBy({ form, name, hasHint }: { form: FormHandle; name: string; hasHint?: boolean }) {
  const isInvalid = form.errorMessage(name) !== undefined
  const ids = [hasHint && `${controlId(name)}-hint`, isInvalid && `${controlId(name)}-error`].filter(Boolean)
  return { 'aria-invalid': isInvalid || undefined, 'aria-describedby': ids.join(' ') || undefined }
}

/** Id of the control of a parameter; also valid in a selector. */
export const controlId = (name: string) => `parameter-${name.replaceAll('.', '-')}`
