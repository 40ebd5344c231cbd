/** Reads an address, and says of which it was when it cannot be read. */
export function namedAddress<Address>(name: string, read: () => Address): Address {
  try {
    return read()
  } catch (cause) {
    throw new Error(`${name} ${cause instanceof Error ? cause.message : String(cause)}.`, { cause })
  }
}
