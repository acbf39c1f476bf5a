/** PostgreSQL text cannot store NUL or lone surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()
