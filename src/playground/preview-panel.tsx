import { type ParsedQuery, requestUrl } from '../query/index.js'
import { type Layout, PagePreview } from '../react/index.js'
import { useQuery } from '@tanstack/react-query'
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { SegmentedControl } from './form-controls.js'
import {
  clampWidth,
  type ColumnWidth,
  MAX_WIDTH_PX,
  MIN_WIDTH_PX,
  type PlaygroundState,
  type Theme,
} from './playground-link.js'
import { useService } from './service-context.js'

interface PreviewPanelProps {
  /** The query of the last run; `undefined` before the first one. */
  query: ParsedQuery | undefined
  state: PlaygroundState
  onWidth: (width: ColumnWidth) => void
}

const WIDTHS = [
  [240, '240'],
  [402, '402'],
  [560, '560'],
  [720, '720'],
  ['fill', 'Fill'],
] as const satisfies readonly (readonly [ColumnWidth, string])[]

/** The preview in a column of adjustable width. */
export function PreviewPanel({ query, state, onWidth }: PreviewPanelProps): ReactNode {
  const { layout, theme, width } = state
  const column = useRef<HTMLDivElement>(null)
  const widthPx = useElementWidth(column)
  const style = { '--column': width === 'fill' ? '100%' : `${width}px` } as CSSProperties
  return (
    <section className="panel" aria-label="Preview">
      <div className="bar">
        <h2>Preview</h2>
        <span className="note">{`layout="${layout}" · theme="${theme}"`}</span>
        <SegmentedControl<ColumnWidth> label="Column width" value={width} options={WIDTHS} onChange={onWidth} />
      </div>
      <div className="stage">
        <div ref={column} className="column" style={style}>
          {query ? (
            <Preview query={query} layout={layout} theme={theme} />
          ) : (
            <p className="soft">Enter the URL of a page, then press Run.</p>
          )}
          <ResizeHandle widthPx={widthPx} onWidth={onWidth} />
          <span className="width-label">{widthPx ? `${Math.round(widthPx)} px` : ''}</span>
        </div>
      </div>
    </section>
  )
}

interface PreviewProps {
  query: ParsedQuery
  layout: Layout
  theme: Theme
}

function Preview({ query, layout, theme }: PreviewProps): ReactNode {
  if (query.query.embed === 'html') return <HtmlCard query={query} />
  const preview = (
    <PagePreview url={query.query.url} query={query.query} layout={layout} theme={theme} loading="eager" />
  )
  return layout === 'inline' ? (
    <p>An inline preview is part of a sentence, like {preview}, and wraps with it.</p>
  ) : (
    preview
  )
}

const TIMEOUT_MS = 30_000

/** The HTML card of the service (`embed=html`), in a frame without scripts. */
function HtmlCard({ query }: { query: ParsedQuery }): ReactNode {
  const { endpoint, apiKey, fetch } = useService()
  const url = requestUrl(query, apiKey ? endpoint.pro : endpoint.free)
  const { data, error } = useQuery({
    queryKey: ['html-card', url],
    async queryFn({ signal }) {
      const headers = apiKey ? { 'x-api-key': apiKey } : undefined
      const response = await fetch(url, {
        headers,
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      }).catch((cause: unknown) => {
        throw new Error('The service did not respond.', { cause })
      })
      if (!response.ok) throw new Error(`The service returned no card: HTTP ${response.status}.`)
      return await response.text()
    },
    retry: false,
    networkMode: 'always',
  })
  if (error) return <p className="soft">{error.message} See the response for the reason.</p>
  return (
    <iframe
      className="frame"
      title={`Preview of ${query.query.url}`}
      sandbox="allow-popups allow-top-navigation-by-user-activation"
      srcDoc={data ?? ''}
    />
  )
}

interface ResizeHandleProps {
  widthPx: number | undefined
  onWidth: (widthPx: number) => void
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -10,
  ArrowDown: -10,
  ArrowRight: 10,
  ArrowUp: 10,
  PageDown: -100,
  PageUp: 100,
  Home: -Infinity,
  End: Infinity,
}

/** Changes the width of the column, by pointer and by keyboard. */
function ResizeHandle({ widthPx = 0, onWidth }: ResizeHandleProps): ReactNode {
  const dragStart = useRef<{ x: number; widthPx: number }>(undefined)
  const width = Math.round(widthPx)

  function onKeyDown(event: KeyboardEvent) {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    onWidth(clampWidth(width + step))
  }
  return (
    <button
      className="resize-handle"
      type="button"
      role="slider"
      aria-label="Column width"
      aria-valuemin={MIN_WIDTH_PX}
      aria-valuemax={MAX_WIDTH_PX}
      aria-valuenow={width}
      aria-valuetext={`${width} pixels`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        dragStart.current = { x: event.clientX, widthPx }
      }}
      onPointerMove={({ clientX }) => {
        // The column is centred, so it grows on both sides.
        if (dragStart.current) onWidth(clampWidth(dragStart.current.widthPx + 2 * (clientX - dragStart.current.x)))
      }}
      onLostPointerCapture={() => {
        dragStart.current = undefined
      }}
    />
  )
}

/** Current width of an element in CSS pixels; `undefined` before it is laid out. */
function useElementWidth(element: RefObject<HTMLElement | null>): number | undefined {
  const [widthPx, setWidthPx] = useState<number>()
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidthPx(entry?.contentRect.width))
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return widthPx
}
