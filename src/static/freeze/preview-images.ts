import type { FrozenPreview } from './markup/index.js'

const FIELDS = ['image', 'darkImage', 'icon'] as const

/** Names of the files that a preview needs. */
export const imageNames = (preview: FrozenPreview | undefined): string[] =>
  FIELDS.flatMap((field) => preview?.[field]?.files.map(({ name }) => name) ?? [])

/** The preview without files that are missing, and without an image that has no file left. */
export function withImages(preview: FrozenPreview, isMissing: (name: string) => boolean): FrozenPreview {
  const complete = { ...preview }
  for (const field of FIELDS) {
    const image = preview[field]
    const files = image?.files.filter(({ name }) => !isMissing(name)) ?? []
    if (image && files.length === image.files.length) continue
    if (files.length) Object.assign(complete, { [field]: { ...image, files } })
    else delete complete[field]
  }
  return complete
}
