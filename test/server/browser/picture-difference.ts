import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

const FOLDER = join(import.meta.dirname, 'pictures')
const WIDTH = 184

/**
 * How far a picture is from the kept one of that name, each made 184 pixels wide, so that neither the font nor the density counts.
 * With `UPDATE_PICTURES=1` in the environment it is kept instead, to be looked at.
 *
 * @returns  0..255: of all pixels on average, and of the worst one.
 */
export async function pictureDifference(bytes: Uint8Array, name: string): Promise<{ average: number; worst: number }> {
  const path = join(FOLDER, `${name}.png`)
  const { width, height } = await sharp(bytes).metadata()
  const small = sharp(bytes)
    .flatten({ background: '#f0f' })
    .resize(WIDTH, Math.round((height * WIDTH) / width), { fit: 'fill' })
  if (process.env.UPDATE_PICTURES) {
    await mkdir(FOLDER, { recursive: true })
    await writeFile(path, await small.clone().png({ compressionLevel: 9 }).toBuffer())
  }
  const [ours, theirs] = await Promise.all([
    small.removeAlpha().raw().toBuffer({ resolveWithObject: true }),
    sharp(await readFile(path))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true }),
  ])
  if (ours.info.height !== theirs.info.height) return { average: 255, worst: 255 }
  const distances = ours.data.map((value, at) => Math.abs(value - theirs.data[at]!))
  return { average: distances.reduce((sum, value) => sum + value, 0) / distances.length, worst: Math.max(...distances) }
}
