import sharp from 'sharp'

/** The size and the format of an encoded image. */
export async function pixelSize(bytes: Uint8Array): Promise<{ width: number; height: number; format: string }> {
  const { width, height, format } = await sharp(bytes, { limitInputPixels: false }).metadata()
  return { width, height, format }
}

/** `[red, green, blue, alpha]` at a point; negative coordinates count from the opposite edge. */
export async function pixelAt(bytes: Uint8Array, x: number, y: number): Promise<number[]> {
  const { width, height } = await pixelSize(bytes)
  const at = { left: x < 0 ? width + x : x, top: y < 0 ? height + y : y, width: 1, height: 1 }
  return [...(await sharp(bytes, { limitInputPixels: false }).extract(at).ensureAlpha().raw().toBuffer())]
}

/** Whether two colours are equal within the error of lossy compression. */
export function isLike(colour: readonly number[], other: readonly number[]): boolean {
  return other.every((value, at) => Math.abs(value - colour[at]!) <= 12)
}
