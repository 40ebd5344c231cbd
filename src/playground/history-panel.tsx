import type { PageChange, PageHistory, PageVersion } from '../query/index.js'
import { type CSSProperties, type ReactNode, useState } from 'react'

/** The versions of a page, the newest first; the selected one beside the one before it, with what has changed. */
export function HistoryPanel({ history }: { history: PageHistory | null }): ReactNode {
  const [selected, setSelected] = useState(0)
  const { versions = [], ignored = [] } = history ?? {}
  const version = versions[selected]
  return (
    <section className="panel history" aria-label="History">
      <h2>History</h2>
      {version ? (
        <div className="versions">
          <ol className="timeline">
            {versions.map((each, index) => (
              <li key={index}>
                <button type="button" aria-pressed={index === selected} onClick={() => setSelected(index)}>
                  <span className="thumbnail">
                    <Picture version={each} outlines={numbered(each)} width={320} alt="" />
                  </span>
                  <span className="about">
                    <bdi className="title">{titleOf(each)}</bdi>
                    <span className="soft">{periodOf(each)}</span>
                    <span className="soft">{summaryOf(each, versions[index + 1])}</span>
                  </span>
                </button>
              </li>
            ))}
          </ol>
          <Version version={version} before={versions[selected + 1]} />
        </div>
      ) : (
        <p className="soft">There is no screenshot that could be compared.</p>
      )}
      {ignored.length > 0 && <Noise selectors={ignored} />}
    </section>
  )
}

interface VersionProps {
  version: PageVersion
  /** `undefined` for the oldest one of the response. */
  before: PageVersion | undefined
}

/** One version beside the one before it. */
function Version({ version, before }: VersionProps): ReactNode {
  const changes = numbered(version)
  const isRemoved = ({ change }: NumberedChange) => change.kind === 'removed'
  return (
    <div className="version">
      <h3>
        <bdi>{titleOf(version)}</bdi>
      </h3>
      <p className="soft">{periodOf(version)}</p>
      {/* Focusable, so that it can be scrolled by keyboard. */}
      <div className="pictures" tabIndex={0} role="group" aria-label="Screenshots">
        {before && (
          <figure>
            <figcaption className="soft">Before</figcaption>
            <Picture version={before} outlines={changes.filter(isRemoved)} width={1280} alt={altOf(before)} />
          </figure>
        )}
        <figure>
          <figcaption className="soft">This version</figcaption>
          <Picture
            version={version}
            outlines={changes.filter((each) => !isRemoved(each))}
            width={1280}
            alt={altOf(version)}
          />
        </figure>
      </div>
      {changes.length > 0 && <Changes changes={changes} />}
      {changes.length > 0 && !before && (
        <p className="soft">
          The version before it is not in this response, which has as many as <code>history</code> says.
        </p>
      )}
    </div>
  )
}

/** A change and its place in the list, which also stands at its outline. */
interface NumberedChange {
  number: number
  change: PageChange
}

const numbered = ({ changes }: PageVersion): NumberedChange[] =>
  changes.map((change, index) => ({ number: index + 1, change }))

interface PictureProps {
  version: PageVersion
  outlines: readonly NumberedChange[]
  /** How wide the image has to be, in pixels. */
  width: 320 | 1280
  alt: string
}

/** A screenshot with outlines around what has changed, scaled from the document to the image. */
function Picture({ version: { screenshot, area }, outlines, width, alt }: PictureProps): ReactNode {
  const percent = (length: number, whole: number) => `${(100 * length) / whole}%`
  return (
    <span className="picture" style={{ aspectRatio: `${screenshot.width} / ${screenshot.height}` }}>
      <img
        src={variantUrl(screenshot.url, width)}
        alt={alt}
        width={screenshot.width}
        height={screenshot.height}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
      />
      {area.width > 0 &&
        area.height > 0 &&
        outlines.map(({ number, change: { kind, ...box } }) => (
          <i
            key={number}
            className={`outline ${kind}`}
            aria-hidden
            data-number={number}
            style={
              {
                left: percent(box.x - area.x, area.width),
                top: percent(box.y - area.y, area.height),
                width: percent(box.width, area.width),
                height: percent(box.height, area.height),
              } satisfies CSSProperties
            }
          />
        ))}
    </span>
  )
}

/** Only the service offers variants, and only of images that it stores. */
const variantUrl = (url: string, width: number) => (/\/images\/[\da-f]{64}\.\w+$/.test(url) ? `${url}?w=${width}` : url)

const BADGES = { changed: 'badge stale', added: 'badge', removed: 'badge error' }

function Changes({ changes }: { changes: readonly NumberedChange[] }): ReactNode {
  return (
    <div className="changes" tabIndex={0} role="group" aria-label="Changes">
      <ol>
        {changes.map(({ number, change }) => (
          <li key={number}>
            <span className={BADGES[change.kind]}>
              {number} {change.kind}
            </span>
            <code dir="ltr">{change.element}</code>
            <ChangedText change={change} />
          </li>
        ))}
      </ol>
    </div>
  )
}

/** The text before and now; what has none, or the same, only looks different. */
function ChangedText({ change: { kind, text, textBefore } }: { change: PageChange }): ReactNode {
  const onlyLooksDifferent = kind === 'changed' && text === textBefore
  return (
    <div className="texts">
      {textBefore && !onlyLooksDifferent && (
        <del>
          <span className="visually-hidden">Before: </span>
          <bdi>{textBefore}</bdi>
        </del>
      )}
      {text && !onlyLooksDifferent && (
        <ins>
          <span className="visually-hidden">Now: </span>
          <bdi>{text}</bdi>
        </ins>
      )}
      {onlyLooksDifferent && text && <bdi>{text}</bdi>}
      {onlyLooksDifferent && <span className="soft">looks different</span>}
    </div>
  )
}

const SHOWN_SELECTORS = 8

/** What was left out, as far as it fits. */
function Noise({ selectors }: { selectors: readonly string[] }): ReactNode {
  const more = selectors.length - SHOWN_SELECTORS
  return (
    <p className="noise soft">
      Left out, because it differs between captures that are seconds apart:{' '}
      {selectors.slice(0, SHOWN_SELECTORS).map((selector, index) => (
        <span key={index}>
          {index > 0 && ', '}
          <code dir="ltr">{selector}</code>
        </span>
      ))}
      {more > 0 && `, and ${more} more`}
    </p>
  )
}

const titleOf = ({ title }: PageVersion) => title ?? 'Without a title'

const altOf = (version: PageVersion) => `Screenshot of ${version.title ?? 'the page'}, ${periodOf(version)}`

function summaryOf({ changes }: PageVersion, before: PageVersion | undefined): string {
  if (changes.length > 0) return changes.length === 1 ? '1 change' : `${changes.length} changes`
  return before ? 'No changes' : 'First capture'
}

/** From the first capture of a version to its last one, in the language and the time zone of the reader. */
function periodOf({ since, until }: PageVersion): string {
  const [first, last] = [since, until].map((time) => new Date(time)) as [Date, Date]
  if (Number.isNaN(first.getTime()) || Number.isNaN(last.getTime())) return since
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).formatRange(first, last)
}
