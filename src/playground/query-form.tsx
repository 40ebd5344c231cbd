import { parameterHelp, switchableFields } from '../query/help/index.js'
import { fields, type ParameterName } from '../query/index.js'
import type { Layout } from '../react/index.js'
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import { CopyButton } from './copy-button.js'
import { controlId, describedBy, FieldError, ParameterControl, SegmentedControl, Switch } from './form-controls.js'
import { PARAMETER_GROUPS } from './parameter-groups.js'
import { LAYOUTS, type PlaygroundState, type Theme, THEMES } from './playground-link.js'
import type { Example, FormHandle } from './use-playground-form.js'

interface QueryFormProps {
  form: FormHandle
  state: PlaygroundState
  examples: readonly Example[] | undefined
  /** Each increase moves the focus to the invalid control. */
  rejectedRuns: number
  onStateChange: (changes: Partial<PlaygroundState>) => void
  onPage: (url: string) => void
  onRun: () => void
  /** URL that restores the current state. */
  link: () => string
}

const EMBEDS = [
  ['', 'JSON'],
  ['true', 'Image'],
  ['html', 'HTML'],
] as const
const IS_APPLE = /Mac|iP(hone|ad|od)/.test(navigator.platform)

/** A control for every parameter of the query. */
export function QueryForm(props: QueryFormProps): ReactNode {
  const { form, state, examples, rejectedRuns, onStateChange, onPage, onRun, link } = props
  const element = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (rejectedRuns) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [rejectedRuns])

  return (
    <form
      ref={element}
      className="panel query"
      aria-label="Query"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onRun()
      }}
    >
      <PageField form={form} examples={examples} onPage={onPage} />
      <ScreenshotFields form={form} />
      <fieldset aria-labelledby="response-heading">
        <h2 id="response-heading">Response</h2>
        <div className="field">
          <span className="name">Embed</span>
          <SegmentedControl
            label="Embed"
            value={form.values.embed ?? ''}
            options={EMBEDS}
            onChange={(embed) => form.setValue('embed', embed)}
          />
        </div>
        <div className="field">
          <label htmlFor={controlId('candidates')}>Candidates</label>
          <Switch form={form} name="candidates" />
        </div>
        <div className="field">
          <label htmlFor={controlId('explain')}>Explain</label>
          <Switch form={form} name="explain" />
        </div>
      </fieldset>
      <AppearanceFields layout={state.layout} theme={state.theme} onChange={onStateChange} />
      <MoreParameters form={form} />
      <div className="actions">
        <button className="btn main" type="submit">
          Run <kbd>{IS_APPLE ? '⌘ ↵' : 'Ctrl ↵'}</kbd>
        </button>
        <CopyButton text={link} label="Copy link" />
      </div>
    </form>
  )
}

interface PageFieldProps {
  form: FormHandle
  examples: readonly Example[] | undefined
  onPage: (url: string) => void
}

/** The URL of the page, with examples. */
function PageField({ form, examples, onPage }: PageFieldProps): ReactNode {
  return (
    <div className="url">
      <label htmlFor={controlId('url')}>Page</label>
      <input
        id={controlId('url')}
        type="url"
        inputMode="url"
        autoComplete="url"
        spellCheck={false}
        placeholder="https://example.com"
        value={form.values.url ?? ''}
        onChange={({ target }) => form.setValue('url', target.value)}
        {...describedBy({ form, name: 'url' })}
      />
      <FieldError form={form} name="url" />
      <div className="examples">
        {examples?.map(({ label, url, lang }) => (
          <button key={url} type="button" lang={lang} title={url} onClick={() => onPage(url)}>
            {label}
          </button>
        ))}
      </div>
    </div>
  )
}

const FORMAT_NAMES = { jpg: 'JPG', png: 'PNG', webp: 'WebP', avif: 'AVIF' }
const FORMATS = fields['screenshot.type'].values.map((type) => [type, FORMAT_NAMES[type]] as const)
const BROWSER_WINDOWS = [
  ['', 'None'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

/** The parameters of the screenshot that are used most. */
function ScreenshotFields({ form }: { form: FormHandle }): ReactNode {
  const { values, setValue } = form
  return (
    <fieldset aria-labelledby="screenshot-heading">
      <h2 id="screenshot-heading">Screenshot</h2>
      <div className="field">
        <label htmlFor={controlId('screenshot')}>Enabled</label>
        <Switch form={form} name="screenshot" />
      </div>
      <div className="field">
        <label htmlFor={controlId('element')}>Element</label>
        <textarea
          id={controlId('element')}
          className="mono"
          rows={1}
          autoCapitalize="none"
          spellCheck={false}
          placeholder="#main, .pricing"
          value={values.element ?? ''}
          onChange={({ target }) => setValue('element', target.value)}
          {...describedBy({ form, name: 'element' })}
        />
        <FieldError form={form} name="element" />
      </div>
      <div className="field">
        <label htmlFor={controlId('screenshot.fullPage')}>Full page</label>
        <Switch form={form} name="screenshot.fullPage" />
      </div>
      <div className="field">
        <span className="name">Browser</span>
        <SegmentedControl
          label="Browser window"
          value={values['overlay.browser'] ?? ''}
          options={BROWSER_WINDOWS}
          onChange={(theme) => setValue('overlay.browser', theme)}
        />
      </div>
      <BackgroundField form={form} />
      <div className="field">
        <span className="name">Format</span>
        <SegmentedControl
          label="Format"
          value={values['screenshot.type'] ?? fields['screenshot.type'].default}
          options={FORMATS}
          onChange={(type) => setValue('screenshot.type', type)}
        />
      </div>
    </fieldset>
  )
}

const CHECKERBOARD = 'repeating-conic-gradient(#bbb 0 25%, #fff 0 50%) 0 0 / 10px 10px'
const SWATCHES = [
  { label: 'None', background: '' },
  { label: 'Iris', background: 'linear-gradient(135deg, #7c6cf6, #c86dd7 45%, #ff9d7a)' },
  { label: 'Lagoon', background: 'linear-gradient(135deg, #0ea5a4, #2563eb 55%, #7c3aed)' },
  { label: 'Sand', background: 'linear-gradient(135deg, #f6d7a8, #e59f71)' },
  { label: 'Slate', background: '#334155' },
  { label: 'Snow', background: '#f4f4f5' },
]

/** The background behind the screenshot: a swatch, or any text. */
function BackgroundField({ form }: { form: FormHandle }): ReactNode {
  const name = 'overlay.background'
  const value = form.values[name] ?? ''
  return (
    <div className="field">
      <span className="name">Background</span>
      <div className="swatches" role="radiogroup" aria-label="Background">
        {SWATCHES.map(({ label, background }) => (
          <input
            key={label}
            type="radio"
            name="swatch"
            aria-label={label}
            checked={background === value}
            style={{ '--swatch': background || CHECKERBOARD } as CSSProperties}
            onChange={() => form.setValue(name, background)}
          />
        ))}
      </div>
      <input
        className="mono wide"
        type="text"
        aria-label="Background: colour, gradient or image URL"
        placeholder="colour, gradient or image URL"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={({ target }) => form.setValue(name, target.value)}
        {...describedBy({ form, name })}
      />
      <FieldError form={form} name={name} />
    </div>
  )
}

interface AppearanceFieldsProps {
  layout: Layout
  theme: Theme
  onChange: (changes: Partial<PlaygroundState>) => void
}

/** Layout and theme of the card, which are props of the component and not part of the query. */
function AppearanceFields({ layout, theme, onChange }: AppearanceFieldsProps): ReactNode {
  return (
    <fieldset aria-labelledby="appearance-heading">
      <h2 id="appearance-heading">Appearance</h2>
      <div className="field">
        <span className="name">Theme</span>
        <SegmentedControl
          label="Theme"
          value={theme}
          options={THEMES.map((theme) => [theme, capitalise(theme)] as const)}
          onChange={(theme) => onChange({ theme })}
        />
      </div>
      <div className="field">
        <SegmentedControl
          label="Layout"
          className="with-icons wide"
          value={layout}
          options={LAYOUTS.map((layout) => [layout, <LayoutOption key={layout} layout={layout} />] as const)}
          onChange={(layout) => onChange({ layout })}
        />
      </div>
    </fieldset>
  )
}

function LayoutOption({ layout }: { layout: Layout }): ReactNode {
  return (
    <>
      <LayoutIcon layout={layout} />
      {capitalise(layout)}
    </>
  )
}

const capitalise = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** A rounded rectangle of the icon. */
type Part = readonly [x: number, y: number, width: number, height: number, radius: number, opacity?: number]

const PARTS: Readonly<Record<Layout, readonly Part[]>> = {
  card: [
    [7, 1, 20, 12, 2.5],
    [7, 16, 14, 2.5, 1.2],
    [7, 20.5, 9, 2, 1, 0.6],
  ],
  row: [
    [3, 6, 13, 11, 2.5],
    [19, 7, 12, 2.5, 1.2],
    [19, 12, 8, 2, 1, 0.6],
  ],
  image: [
    [5, 2, 24, 16, 2.5],
    [5, 20.5, 12, 2, 1, 0.6],
  ],
  inline: [
    [1, 6, 6, 2, 1, 0.5],
    [9, 3.5, 16, 7, 2.5],
    [27, 6, 6, 2, 1, 0.5],
    [1, 15, 24, 2, 1, 0.5],
  ],
}

/** A schematic drawing of a layout. */
function LayoutIcon({ layout }: { layout: Layout }): ReactNode {
  return (
    <svg viewBox="0 0 34 24" fill="currentColor" aria-hidden="true">
      {PARTS[layout].map(([x, y, width, height, rx, opacity]) => (
        <rect key={`${x} ${y}`} x={x} y={y} width={width} height={height} rx={rx} opacity={opacity} />
      ))}
    </svg>
  )
}

/** All parameters without a dedicated control; opens by itself if one of them is used or invalid. */
function MoreParameters({ form }: { form: FormHandle }): ReactNode {
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
  const isGroup = name in switchableFields
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
