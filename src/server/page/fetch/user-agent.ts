/** Identifies the service to the sites that it reads; a caller may override it with `headers.user-agent`. */
export const USER_AGENT = 'Mozilla/5.0 (compatible; PagePreview/1.0)'
