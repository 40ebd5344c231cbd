import { usePagePreview } from 'page-preview'
import { Card, Skeleton } from './card'

export default function OwnCard() {
  const url = 'https://tides.example'
  const [ref, preview] = usePagePreview({ url, screenshot: true })
  const page = 'page' in preview ? preview.page : undefined
  return (
    <Card ref={ref}>
      <div className="aspect-video overflow-hidden">
        {page?.screenshot ? (
          <img src={page.screenshot.url} alt="" className="h-full w-full object-cover" />
        ) : (
          <Skeleton className="h-full" />
        )}
      </div>
      <div className="h-14 px-4">
        <h3 className="truncate font-semibold">
          <a href={url}>{page?.title ?? 'tides.example'}</a>
        </h3>
        {page ? (
          <p>
            {page.author}, <time dateTime={page.date ?? ''}>{page.date?.slice(0, 10)}</time>
          </p>
        ) : (
          <Skeleton className="h-6 w-2/3" />
        )}
      </div>
    </Card>
  )
}
