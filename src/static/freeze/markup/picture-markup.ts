import { html as markup } from 'hono/html'
import { imageSizes } from '../../../card/index.js'
import { attributesMarkup, type Markup } from '../../../server/html-card/index.js'
import type { FrozenFile, FrozenImage } from './frozen-preview.js'
import type { CardRequest } from './card-request.js'

export interface Picture {
  image: FrozenImage
  /** The image of the page in its dark colour scheme. */
  darkImage?: FrozenImage | undefined
  alt: string
  request: Pick<CardRequest, 'layout' | 'loading' | 'priority'>
  /** URL of the folder of the files. */
  assets: string
}

/** Types that browsers prefer to the one that all of them support, smallest first. */
const MODERN_TYPES: readonly FrozenFile['type'][] = ['avif', 'webp']
const MIME_TYPES: Partial<Record<FrozenFile['type'], string>> = {
  jpg: 'image/jpeg',
  svg: 'image/svg+xml',
  ico: 'image/x-icon',
}
/** Width of the file that is shown without a stylesheet, and by browsers that support none of the other types. */
const PLAIN_WIDTH = 640

/** Writes the image of a card: an `<img>`, in a `<picture>` where it has several types or colour schemes. */
export function pictureMarkup({ image, darkImage, alt, request, assets }: Picture): Markup {
  const { priority, layout } = request
  const loading = priority ? 'eager' : (request.loading ?? 'lazy')
  const sizes = loading === 'lazy' ? `auto, ${imageSizes(layout)}` : imageSizes(layout)
  const types = typesOf(image)
  const fallbackType = types.at(-1)
  const plain = plainFile(image.files.filter(({ type }) => type === fallbackType))
  if (!plain) return markup``
  const srcset = srcsetOf(image, plain.type, assets)
  const img = markup`<img${attributesMarkup({
    class: 'pp-image',
    ...dimensions(image, plain),
    loading,
    decoding: 'async',
    fetchpriority: priority ? 'high' : undefined,
    alt,
    ...(srcset && { sizes, srcset }),
    src: assets + plain.name,
  })}>`
  const sources = [
    ...(darkImage ? typesOf(darkImage).map((type) => source(darkImage, type, '(prefers-color-scheme: dark)')) : []),
    ...types.slice(0, -1).map((type) => source(image, type)),
  ]
  return sources.length ? markup`<picture>${sources}${img}</picture>` : img

  function source(variants: FrozenImage, type: FrozenFile['type'], media?: string): Markup {
    const files = variants.files.filter((file) => file.type === type)
    const [only] = files
    return markup`<source${attributesMarkup({
      media,
      type: MIME_TYPES[type] ?? `image/${type}`,
      ...(media && dimensions(variants, plainFile(files))),
      sizes: files.length > 1 ? sizes : undefined,
      srcset: srcsetOf(variants, type, assets) ?? (only && assets + only.name),
    })}>`
  }
}

/** The types of an image in the order in which browsers choose: the one that all of them support is last. */
function typesOf({ files }: FrozenImage): FrozenFile['type'][] {
  const types = [...new Set(files.map(({ type }) => type))]
  const modern = MODERN_TYPES.filter((type) => types.includes(type))
  return [...modern, ...types.filter((type) => !modern.includes(type)).slice(0, 1)]
}

/** `undefined` where there is nothing to choose from. */
function srcsetOf({ files }: FrozenImage, type: FrozenFile['type'], assets: string): string | undefined {
  const variants = files.filter((file) => file.type === type).toSorted((a, b) => a.width - b.width)
  return variants.length > 1 ? variants.map(({ name, width }) => `${assets}${name} ${width}w`).join(', ') : undefined
}

/** The file nearest to the width of a card. */
const plainFile = (files: readonly FrozenFile[]): FrozenFile | undefined =>
  files.toSorted((a, b) => Math.abs(a.width - PLAIN_WIDTH) - Math.abs(b.width - PLAIN_WIDTH))[0]

/** The size of one file: that of the image itself would be wider than most pages that have no stylesheet. */
const dimensions = ({ width, height }: FrozenImage, file: FrozenFile | undefined) =>
  file && { width: file.width, height: Math.max(1, Math.round((height / width) * file.width)) }
