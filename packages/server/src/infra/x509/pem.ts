interface PemBlock {
  label: string
  pem: string
}

const begin = '-----BEGIN '
const dashes = '-----'

/** Undefined if a block has no end. Uses indexOf: a regular expression would be quadratic. */
export function readPemBlocks(text: string): PemBlock[] | undefined {
  const blocks: PemBlock[] = []
  for (let from = 0; ;) {
    const start = text.indexOf(begin, from)
    if (start === -1) return blocks
    const labelEnd = text.indexOf(dashes, start + begin.length)
    const label = labelEnd === -1 ? '' : text.slice(start + begin.length, labelEnd)
    if (!/^[A-Z0-9 ]{1,40}$/.test(label)) return undefined
    const footer = `-----END ${label}-----`
    const end = text.indexOf(footer, labelEnd)
    if (end === -1) return undefined
    from = end + footer.length
    blocks.push({ label, pem: `${text.slice(start, from)}\n` })
  }
}
