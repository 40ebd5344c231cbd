/**
 * The validators of responses that a proxy rewrites. The service's own `ETag` stands for its body, and not for the one with the URLs of
 * the proxy: https://www.rfc-editor.org/rfc/rfc9110#section-8.8
 */
export interface Etags {
  /** The `ETag` of the rewritten response. */
  ofRewritten(etag: string): string
  /** The `If-None-Match` for the service, without those of a proxy with other settings; `undefined` if none is left. */
  forService(ifNoneMatch: string): string | undefined
}

const MARK = ';page-preview='

/** @param settings  What the rewriting depends on. */
export function createEtags(settings: { publicUrl: string; media: boolean | undefined }): Etags {
  const suffix = `${MARK}${encodeURIComponent(settings.publicUrl)}${settings.media ? ';media' : ''}"`
  return {
    ofRewritten: (etag) => etag.replace(/"$/, suffix),
    forService(ifNoneMatch) {
      const etags = (ifNoneMatch.match(/(W\/)?"[^"]*"/g) ?? []).flatMap((etag) => {
        if (etag.endsWith(suffix)) return `${etag.slice(0, -suffix.length)}"`
        return etag.includes(MARK) ? [] : etag
      })
      return etags.join(', ') || undefined
    },
  }
}
