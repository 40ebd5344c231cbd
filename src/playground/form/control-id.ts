/** Id of the control of a parameter; also valid in a selector. */
export const controlId = (name: string) => `parameter-${name.replaceAll('.', '-')}`
