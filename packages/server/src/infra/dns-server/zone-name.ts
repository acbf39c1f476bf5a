/** Name of the catalog zone, which lists the others (RFC 9432). `invalid` is a reserved TLD. */
export const catalogName = 'catalog.panel.invalid'

const maxLength = 253
const labelPattern = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** Throws unless it is a lower-case zone name: it becomes a file name and a command argument. */
export function assertZoneName(name: string): void {
  if (name.length > maxLength || !name.split('.').every((label) => labelPattern.test(label)))
    throw new TypeError(`Invalid zone name: ${JSON.stringify(name.slice(0, 300))}`)
}
