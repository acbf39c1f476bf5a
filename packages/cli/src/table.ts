export function table(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const texts = [head, ...rows.map((row) => row.map(cell))]
  const widths = head.map((_name, column) => Math.max(...texts.map((row) => row[column]!.length)))
  return (
    texts
      .map((row) =>
        row
          .map((text, column) => text.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()
      )
      .join('\n') + '\n'
  )
}

export function facts(values: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length))
  return Object.entries(values)
    .map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}\n`)
    .join('')
}

const cell = (value: unknown): string => (value === null || value === undefined ? '-' : printable(String(value)))

/** Replaces control characters, because names chosen by others may contain escape sequences. */
export const printable = (text: string): string =>
  text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd').replaceAll(/[\t\n]/g, ' ')

/** Like printable, but keeps line feeds and tabs. */
export const printableLog = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
