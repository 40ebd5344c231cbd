/** An object of the OpenAPI document. */
export type Schema = Record<string, unknown>

export const nullable = (type: string, keywords: Schema = {}): Schema => ({ type: [type, 'null'], ...keywords })
