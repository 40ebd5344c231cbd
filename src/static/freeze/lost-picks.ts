import type { PageData, PageQuery } from '../../query/index.js'
import { candidateId } from '../../server/static-tools.js'

/** A field whose value can be picked. */
export type PickedField = 'title' | 'image'

/** The fields of a result that do not have what `title.pick` and `image.pick` name. */
export function findLostPicks({ title, image }: PageQuery, data: PageData): PickedField[] {
  const values = [
    ['title', title?.pick, data.title],
    ['image', image?.pick, data.image?.url],
  ] as const
  return values.flatMap(([field, pick, value]) =>
    pick === undefined || (typeof value === 'string' && candidateId(value) === pick) ? [] : [field],
  )
}

/** The end of a sentence that begins with the URL of a page. */
export const describeLostPick = (field: PickedField): string =>
  `the ${field} that was picked is not on the page, or cannot be used; the card has the best one instead`
