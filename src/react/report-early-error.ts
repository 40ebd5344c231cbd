/** Reports the error of an image again that occurred before hydration, when nothing handled it. */
export function reportEarlyError(image: (Element & Partial<HTMLImageElement>) | null): void {
  if (image?.complete && !image.naturalWidth) image.dispatchEvent(new Event('error'))
}
