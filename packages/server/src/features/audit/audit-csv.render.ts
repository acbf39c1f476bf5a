import type { AuditEntry } from '@panel/contract/audit'

const columns = [
  'id',
  'createdAt',
  'action',
  'actorId',
  'actorEmail',
  'targetId',
  'targetEmail',
  'ip',
  'userAgent',
  'metadata'
] as const satisfies readonly (keyof AuditEntry)[]

export const csvHead = lineOf(columns)

export const csvLine = (entry: AuditEntry): string =>
  lineOf(
    columns.map((column) => {
      const value = entry[column] ?? ''
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
    })
  )

// RFC 4180: quoted, a quote is two, and lines end so.
function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${withoutFormula(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
}

/**
 * A spreadsheet runs what begins so, and whoever signs in says what their User-Agent is. The apostrophe is how it writes text. Where its
 * language separates cells by another sign than the comma, one begins behind that.
 */
function withoutFormula(cell: string): string {
  const text = cell.replaceAll(/(?!^[\t\r\n])([;|\t\r\n][ "']*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g, "$1'")
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text
}
