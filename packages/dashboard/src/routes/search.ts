export type RawSearch = Readonly<Record<string, unknown>>

export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const numberIn = (value: unknown): number | undefined =>
  Number.isSafeInteger(Number(value)) && Number(value) >= 1 ? Number(value) : undefined

/** Of most lists in the API; its default comes first. */
export const listOrders = ['created', 'name'] as const
export type ListOrder = (typeof listOrders)[number]

/** Page 1 is omitted from the URL. */
export const pageIn = (value: unknown): number | undefined => {
  const page = numberIn(value)
  return page === 1 ? undefined : page
}

export const oneOf = <const Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((each) => each === value)

/**
 * Path within this dashboard; undefined for anything else. URL parsers strip tabs and line breaks, so those are
 * rejected.
 */
export const ownPathIn = (value: unknown): string | undefined => {
  const text = textIn(value)
  return text !== undefined && /^\/(?![/\\])[^\u0000-\u001f]*$/.test(text) ? text : undefined
}
