/** The attributes of an element by name in lower case, decoded. */
export type Attributes = Readonly<Record<string, string>>
