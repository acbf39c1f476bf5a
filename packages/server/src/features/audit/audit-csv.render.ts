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

function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${withoutFormula(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
}

/**
 * Prevents CSV formula injection (a User-Agent is attacker-controlled) with a leading apostrophe. Also after `;` and
 * similar, because spreadsheets in some locales use other separators.
 */
function withoutFormula(cell: string): string {
  const text = cell.replaceAll(/(?!^[\t\r\n])([;|\t\r\n][ "']*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g, "$1'")
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text
}
