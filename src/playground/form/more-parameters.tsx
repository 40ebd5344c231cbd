import { useState, type ReactNode } from 'react'
import { parameterHelp } from '../../query/help/index.js'
import { fields, type ParameterName } from '../../query/index.js'
import type { FormHandle } from '../state/use-playground-form.js'
import { controlId } from './control-id.js'
import { FieldError } from './field-error.js'
import { ParameterControl } from './parameter-control.js'
import { PARAMETER_GROUPS } from './parameter-groups.js'

/** All parameters without a dedicated control; opens by itself if one of them is used or invalid. */
export function MoreParameters({ form }: { form: FormHandle }): ReactNode {
  const names = PARAMETER_GROUPS.flatMap(({ parameters }) => parameters)
  const [isOpen, setIsOpen] = useState(() => names.some((name) => isUsed(form, name)))
  const hasError = names.some((name) => form.errorMessage(name) !== undefined)
  return (
    <details className="more" open={isOpen || hasError} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Device, waiting, caching, headers</summary>
      {PARAMETER_GROUPS.map(({ title, parameters }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          {parameters.map((name) => (
            <ParameterField key={name} form={form} name={name} />
          ))}
        </section>
      ))}
    </details>
  )
}

function ParameterField({ form, name }: { form: FormHandle; name: ParameterName }): ReactNode {
  const isGroup = fields[name].type === 'switches'
  return (
    <div className="field">
      {isGroup ? <span className="name">{name}</span> : <label htmlFor={controlId(name)}>{name}</label>}
      <ParameterControl form={form} name={name} />
      <p className="hint wide" id={`${controlId(name)}-hint`}>
        {parameterHelp[name]}
        {name === 'headers' &&
          ' A copied link keeps Accept-Language, User-Agent and the like, but no keys, cookies or other headers.'}
      </p>
      <FieldError form={form} name={name} />
    </div>
  )
}

const isUsed = ({ values }: FormHandle, name: string) =>
  Object.keys(values).some((used) => used === name || used.startsWith(`${name}.`))
