/** What stands behind the `?` of an address, as somebody may have typed it. */
export type RawSearch = Readonly<Record<string, unknown>>

export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** A number from 1 on; undefined where it is not one. */
export const numberIn = (value: unknown): number | undefined =>
  Number.isSafeInteger(Number(value)) && Number(value) >= 1 ? Number(value) : undefined

/** That of a page; the first has no word in the address. */
export const pageIn = (value: unknown): number | undefined => {
  const page = numberIn(value)
  return page === 1 ? undefined : page
}

export const oneOf = <const Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((each) => each === value)

/** A path of this dashboard; undefined of anything that leads elsewhere: readers of addresses leave tabs and line breaks out. */
export const ownPathIn = (value: unknown): string | undefined => {
  const text = textIn(value)
  return text !== undefined && /^\/(?![/\\])[^\u0000-\u001f]*$/.test(text) ? text : undefined
}
