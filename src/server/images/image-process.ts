import { constants, getPriority, setPriority } from 'node:os'
import sharp from 'sharp'
import { handleTasks } from '../handle-tasks.js'
import { samplePalette } from './colours.js'
import { compareBlocks, type BlockPair } from './compare-blocks.js'
import { compareImages, measureImage } from './open-image.js'
import { encodeScreenshot, type ScreenshotEncoding, type ScreenshotTiles } from './screenshots.js'
import { convertVariant, convertVariants, type Conversion } from './variants.js'

// The entry of a child process, which alone decodes images.

type OneImage = readonly [Uint8Array]
type Tiles = ScreenshotTiles['tiles']

/** The tasks by name, each with the images that it needs. */
const tasks = {
  encodeScreenshot: (
    tiles: Tiles,
    { screenshot, encoding }: { screenshot: Screenshot; encoding: ScreenshotEncoding },
  ) => encodeScreenshot({ ...screenshot, tiles }, encoding),
  convertVariant: ([image]: OneImage, conversion: Conversion) => convertVariant(image, conversion),
  convertVariants: ([image]: OneImage, variants: Parameters<typeof convertVariants>[1]) =>
    convertVariants(image, variants),
  samplePalette: ([image]: OneImage) => samplePalette(image),
  compareImages: ([image, other]: readonly [Uint8Array, Uint8Array]) => compareImages(image, other),
  compareBlocks: ([image, other]: readonly [Uint8Array, Uint8Array], pairs: readonly BlockPair[]) =>
    compareBlocks(image, other, pairs),
  measureImage: ([image]: OneImage) => measureImage(image),
  // Loaded for the first PDF, because most services never see one.
  readPdf: async ([pdf]: OneImage) => (await import('./pdf.js')).readPdf(pdf),
  readPdfPage: async ([pdf]: OneImage, options: { width: number | undefined }) =>
    (await import('./pdf.js')).readPdfPage(pdf, options),
}
/** The tiles are its inputs. */
type Screenshot = Omit<ScreenshotTiles, 'tiles'>

export type ImageTasks = typeof tasks

/** What the pool sends: the name of a task, and its second argument if it has one. */
export type ImageTask = {
  [Name in keyof ImageTasks]: Parameters<ImageTasks[Name]>[1] extends undefined
    ? { name: Name }
    : { name: Name; options: Parameters<ImageTasks[Name]>[1] }
}[keyof ImageTasks]

const DECODERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
]

// Threads and cache of libvips gain nothing here, and fragment memory: https://sharp.pixelplumbing.com/install#linux-memory-allocator
sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: DECODERS })
// Cached responses and the browser go first. Raising the priority that a service was started with is not allowed to every user.
setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))

handleTasks((task: ImageTask, inputs) => {
  const run = tasks[task.name] as (inputs: readonly Uint8Array[], options: unknown) => Promise<unknown>
  return run(inputs, 'options' in task ? task.options : undefined)
})
