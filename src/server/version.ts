declare const __VERSION__: string

/** Version of this package and of the script tag that it serves; replaced at build time. */
export const version = __VERSION__
