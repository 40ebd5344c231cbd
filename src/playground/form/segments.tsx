import { useId, type ReactNode } from 'react'

interface SegmentsProps<Value extends string | number> {
  label: string
  value: Value | undefined
  options: readonly (readonly [value: Value, content: ReactNode])[]
  onChange: (value: Value) => void
  className?: string
}

/** One of several, all of them seen. */
export function Segments<Value extends string | number>(props: SegmentsProps<Value>): ReactNode {
  const { label, value, options, onChange, className = '' } = props
  const name = useId()
  return (
    <div className={`seg ${className}`.trim()} role="radiogroup" aria-label={label}>
      {options.map(([option, content]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          {content}
        </label>
      ))}
    </div>
  )
}
