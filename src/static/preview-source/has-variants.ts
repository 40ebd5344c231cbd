import { fields } from '../../query/index.js'
import type { ImageType } from '../../server/images/index.js'

const TYPES: readonly string[] = fields['variant.type'].values

/** Whether images of a file type have variants; the others, such as SVG and animations, are delivered as they are. */
export const hasVariants = (type: string): type is ImageType => TYPES.includes(type)
