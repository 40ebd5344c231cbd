import type { ReactNode } from 'react'
import type { PreviewView } from './preview-view.js'

/** The inside of a preview: the picture, the words (`layout="image"` has none), and the footer; or icon and words of a chip. */
export function PreviewCard({ view }: { view: PreviewView }): ReactNode {
  const { tags, name, address, title, description, facts, options, Retry } = view
  if (options.layout === 'inline')
    return (
      <>
        <view.Icon view={view} as="icon" />
        {view.words ?? address.text}
      </>
    )
  const isImage = options.layout === 'image'
  const link = (
    <tags.link className={isImage ? `${name('link')} ${name('host')}` : name('link')} href={address.href}>
      <tags.title className={name('title')}>{title}</tags.title>
      <span className={name('cover')} />
    </tags.link>
  )
  const foot = (
    <>
      <tags.site className={name('site')}>
        <view.Icon view={view} as="icon" />
        {isImage ? link : <tags.host className={name('host')}>{address.host}</tags.host>}
      </tags.site>
      {Retry ? (
        <Retry view={view} />
      ) : (
        facts.length > 0 && (
          // Servers and browsers may know different editions of a language. Other facts are another element, that nothing shifts.
          <tags.meta key={facts.join()} className={name('meta')} dir="ltr" suppressHydrationWarning>
            {facts.map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </tags.meta>
        )
      )}
    </>
  )
  return (
    <>
      <view.Media key={view.id} view={view} />
      {isImage ? (
        <tags.foot className={name('foot')}>{foot}</tags.foot>
      ) : (
        <tags.body className={name('body')}>
          <tags.text className={name('text')}>
            {link}
            {description === undefined ? (
              [...Array(options.layout === 'row' ? 2 : 3).keys()].map((at) => (
                <span key={at} className={name('bone')} />
              ))
            ) : (
              <>
                <br />
                <tags.description className={name('description')}>{description}</tags.description>
              </>
            )}
          </tags.text>
          <tags.foot className={name('foot')}>{foot}</tags.foot>
        </tags.body>
      )}
    </>
  )
}
