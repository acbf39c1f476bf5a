/** The catalog: the zone that lists the others (RFC 9432). `invalid` belongs to nobody. */
export const catalogName = 'catalog.panel.invalid'

const maxLength = 253
const labelPattern = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** Throws on what is no zone name in lower case: the name becomes a file name and an argument of a command. */
export function assertZoneName(name: string): void {
  if (name.length > maxLength || !name.split('.').every((label) => labelPattern.test(label)))
    throw new TypeError(`Not a name of a zone: ${JSON.stringify(name.slice(0, 300))}`)
}
