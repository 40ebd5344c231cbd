import { Preview } from 'page-preview/parts'
import { Card, CardDescription, CardHeader, CardTitle } from '../../../copied/card'

export default function ShadcnCard() {
  return (
    <Preview.Root url="https://tides.example" screenshot render={<Card className="pt-0" />}>
      <Preview.Media className="aspect-video overflow-hidden">
        <Preview.Image className="size-full object-cover object-top" />
      </Preview.Media>
      <CardHeader>
        <CardTitle>
          <Preview.Link className="line-clamp-1" />
        </CardTitle>
        <CardDescription className="line-clamp-2 h-10">
          <Preview.Description />
        </CardDescription>
      </CardHeader>
    </Preview.Root>
  )
}
