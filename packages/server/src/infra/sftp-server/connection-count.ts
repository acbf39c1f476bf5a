const established = '01'

export function countConnectionsTo(port: number, texts: readonly string[]): number {
  const local = new RegExp(
    `^ *\\d+: [0-9A-F]+:${port.toString(16).toUpperCase().padStart(4, '0')} [0-9A-F]+:[0-9A-F]{4} ${established} `,
    'gm'
  )
  return texts.reduce((all, text) => all + (text.match(local)?.length ?? 0), 0)
}
