/** The headers that responses from one result share, and those of their body; both may name request headers in `vary`. */
export function mergeHeaders(
  shared: Readonly<Record<string, string>>,
  body: Readonly<Record<string, string>>,
): Record<string, string> {
  const vary = [shared.vary, body.vary].filter((names) => names !== undefined).join(', ')
  return { ...shared, ...body, ...(vary && { vary }) }
}
