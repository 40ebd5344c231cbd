import { useId, type ReactNode } from 'react'

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
