import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

const FOLDER = join(import.meta.dirname, 'overlay-images')
const WIDTH = 184

/**
 * Compares an image with the reference image of that name, each scaled to a width of 184 pixels, so that neither fonts nor pixel
 * density matter. With `UPDATE_REFERENCE_IMAGES=1` in the environment it replaces the reference image first.
 *
 * @returns  The difference, 0..255: of all pixels on average, and of the worst one.
 */
export async function imageDifference(bytes: Uint8Array, name: string): Promise<{ average: number; worst: number }> {
  const path = join(FOLDER, `${name}.png`)
  const { width, height } = await sharp(bytes).metadata()
  const scaled = sharp(bytes)
    .flatten({ background: '#f0f' })
    .resize(WIDTH, Math.round((height * WIDTH) / width), { fit: 'fill' })
  if (process.env.UPDATE_REFERENCE_IMAGES) {
    await mkdir(FOLDER, { recursive: true })
    await writeFile(path, await scaled.clone().png({ compressionLevel: 9 }).toBuffer())
  }
  const [actual, reference] = await Promise.all([
    scaled.removeAlpha().raw().toBuffer({ resolveWithObject: true }),
    sharp(await readFile(path))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true }),
  ])
  if (actual.info.height !== reference.info.height) return { average: 255, worst: 255 }
  const differences = actual.data.map((value, index) => Math.abs(value - reference.data[index]!))
  return {
    average: differences.reduce((sum, value) => sum + value, 0) / differences.length,
    worst: Math.max(...differences),
  }
}
