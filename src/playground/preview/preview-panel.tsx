import { useRef, type CSSProperties, type ReactNode } from 'react'
import type { ParsedQuery } from '../../query/index.js'
import { PagePreview, type Layout } from '../../react/index.js'
import { SegmentedControl } from '../form/segmented-control.js'
import type { ColumnWidth, PlaygroundState, Theme } from '../state/playground-link.js'
import { HtmlCard } from './html-card.js'
import { ResizeHandle } from './resize-handle.js'
import { useElementWidth } from './use-element-width.js'

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
