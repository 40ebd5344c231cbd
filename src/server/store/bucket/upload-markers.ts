import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isImageName, type ImageName } from '../image-name.js'

/** Which images are not in the bucket yet: an empty file for each, named as the image. */
export interface UploadMarkers {
  add(name: ImageName): Promise<void>
  remove(name: ImageName): Promise<void>
  list(): Promise<ImageName[]>
}

/** @param folder  Created with the first marker. */
export const createUploadMarkers = (folder: string): UploadMarkers => ({
  async add(name) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, name), '', { mode: 0o600 })
  },
  remove: (name) => rm(join(folder, name), { force: true }),
  list: async () => (await readdir(folder)).filter(isImageName),
})
