import { Preview } from 'page-preview/parts'
import { Skeleton } from './card'

export default function OwnSkeleton() {
  return (
    <Preview.Root url="https://slow.example" screenshot className="grid gap-3">
      <Preview.Media className="aspect-video overflow-hidden rounded-lg">
        <Preview.Image className="size-full object-cover" />
        <Preview.Skeleton render={<Skeleton className="size-full" />} />
      </Preview.Media>
      <h3 className="truncate font-semibold">
        <Preview.Link />
      </h3>
      <div className="flex h-6 items-center gap-3">
        <Preview.Skeleton render={<Skeleton className="h-4 w-2/3" />} />
        <Preview.Author />
        <Preview.Date />
      </div>
    </Preview.Root>
  )
}
